import type { SessionMessages } from './en';

export const de: SessionMessages = {
  title: 'Sitzungen',
  lead: 'Wer an der Konsole angemeldet ist. Eine Sitzung endet acht Stunden nach der Anmeldung, mit dem API-Schlüssel, mit dem sie eröffnet wurde, oder wenn Sie sie hier beenden.',
  role: 'Rolle',
  current: 'diese Sitzung',
  openedBy: 'Eröffnet mit',
  key: 'einem API-Schlüssel',
  link: (who) => `einem Link von ${who}`,
  browser: 'Browser',
  opened: 'Eröffnet',
  lastUsed: 'Zuletzt benutzt',
  expires: 'Endet',
  environment: 'Umgebung',
  onlyThis: 'Nur die angezeigte Umgebung',
  scope: 'Umgebungen',
  empty: 'Es gibt keine anderen Sitzungen.',
  end: 'Beenden',
  endTitle: 'Diese Sitzung beenden?',
  endText: 'Danach ist eine neue Anmeldung nötig. Eingaben auf einer geöffneten Seite bleiben erhalten.',
  ended: 'Die Sitzung wurde beendet.',
};
