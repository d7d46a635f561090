import type { SessionMessages } from './en';

export const de: SessionMessages = {
  title: 'Sitzungen',
  lead: 'Wer an der Konsole angemeldet ist. Eine Sitzung endet nach acht Stunden. Vorher endet sie, wenn Sie sie hier beenden oder wenn der API-Schlüssel, mit dem sie eröffnet wurde, nicht mehr gilt.',
  role: 'Rolle',
  current: 'diese Sitzung',
  key: 'API-Schlüssel',
  withKey: 'per API-Schlüssel',
  withLink: (who) => `per Link von ${who}`,
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
