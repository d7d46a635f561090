import type { SessionMessages } from './en';

export const de: SessionMessages = {
  title: 'Sitzungen',
  lead: 'Wer an der Konsole angemeldet ist. Eine Sitzung endet acht Stunden nach der Anmeldung, mit dem API-Schlüssel, der sie geöffnet hat, oder wenn Sie sie hier beenden.',
  session: 'Sitzung',
  role: 'Rolle',
  current: 'diese Sitzung',
  openedBy: 'Geöffnet mit',
  key: 'einem API-Schlüssel',
  link: (who) => `einem Link von ${who}`,
  browser: 'Browser',
  opened: 'Geöffnet',
  lastUsed: 'Zuletzt benutzt',
  expires: 'Endet',
  environment: 'Umgebung',
  onlyThis: 'Nur die angezeigte Umgebung',
  scope: 'Umgebungen',
  empty: 'Es gibt keine anderen Sitzungen.',
  end: 'Beenden',
  endTitle: 'Diese Sitzung beenden?',
  endText:
    'Wer sie benutzt, muss sich neu anmelden. Was in einer offenen Seite eingegeben wurde, bleibt dort erhalten.',
  ended: 'Die Sitzung wurde beendet.',
};
