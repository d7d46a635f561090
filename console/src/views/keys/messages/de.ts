import type { KeyMessages } from './en';

export const de: KeyMessages = {
  title: 'API-Schlüssel',
  lead: 'Mit einem API-Schlüssel nutzt Ihre Anwendung die Schnittstelle. Der Dienst speichert nur seinen Hashwert: Ein Schlüssel wird einmal angezeigt, wenn er ausgestellt wird.',
  key: 'Schlüssel',
  state: 'Zustand',
  states: { ACTIVE: 'Aktiv', EXPIRED: 'Abgelaufen', REVOKED: 'Widerrufen' },
  created: 'Ausgestellt',
  lastUsed: 'Zuletzt benutzt',
  expires: 'Läuft ab',
  never: 'nie',
  notUsed: 'noch nicht',
  empty: 'Es gibt keine API-Schlüssel. Der Support stellt sie aus.',
  emptySupport:
    'Es gibt noch keine API-Schlüssel. Ohne Schlüssel kann die Anwendung des Kunden die Schnittstelle nicht nutzen.',
  issue: 'Schlüssel ausstellen',
  issueTitle: 'API-Schlüssel ausstellen',
  issueText:
    'Der neue Schlüssel gilt sofort, neben den vorhandenen. Geben Sie ihn dem Kunden auf einem sicheren Weg weiter.',
  expiresAt: 'Läuft ab am',
  expiresHelp: 'Ab Beginn dieses Tages (UTC) wird der Schlüssel abgelehnt. Ohne Datum läuft er nicht ab.',
  issued: 'Der neue API-Schlüssel',
  revoke: 'Widerrufen',
  revokeTitle: (key) => `Schlüssel ${key} widerrufen?`,
  revokeText: [
    'Anfragen mit ihm werden ab sofort abgelehnt. Das lässt sich nicht rückgängig machen.',
    'UI-Tokens und Konsolensitzungen, die mit ihm erzeugt wurden, enden: Wer gerade eine Seite offen hat, muss sie neu öffnen.',
  ],
  revokeUsed: 'Zuletzt benutzt:',
  revoked: (key) => `Der Schlüssel ${key} wurde widerrufen.`,
};
