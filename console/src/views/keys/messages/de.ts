import type { KeyMessages } from './en';

export const de: KeyMessages = {
  title: 'API-Schlüssel',
  lead: 'Ihre Anwendung nutzt die API mit einem API-Schlüssel. Der Dienst speichert nur dessen Hashwert: Ein Schlüssel wird nur einmal angezeigt, wenn er ausgestellt wird.',
  key: 'Schlüssel',
  state: 'Zustand',
  states: { ACTIVE: 'Aktiv', EXPIRED: 'Abgelaufen', REVOKED: 'Widerrufen' },
  created: 'Ausgestellt',
  lastUsed: 'Zuletzt benutzt',
  expires: 'Läuft ab',
  notUsed: 'noch nicht',
  empty: 'Es gibt keine API-Schlüssel. Der Support stellt sie aus.',
  emptySupport: 'Es gibt noch keine API-Schlüssel. Ohne Schlüssel kann die Anwendung des Kunden die API nicht nutzen.',
  issue: 'Schlüssel ausstellen',
  issueTitle: 'API-Schlüssel ausstellen',
  issueText:
    'Der neue Schlüssel gilt sofort, zusätzlich zu den vorhandenen. Übermitteln Sie ihn dem Kunden auf einem sicheren Weg.',
  expiresAt: 'Läuft ab am',
  expiresHelp: 'Der Schlüssel wird ab Beginn dieses Tages (UTC) abgelehnt. Ohne Datum läuft er nicht ab.',
  issued: 'Der neue API-Schlüssel',
  revoke: 'Widerrufen',
  revokeTitle: (key) => `Schlüssel ${key} widerrufen?`,
  revokeText: [
    'Anfragen mit diesem Schlüssel werden ab sofort abgelehnt. Das lässt sich nicht rückgängig machen.',
    'UI-Tokens und Konsolensitzungen, die mit ihm erzeugt wurden, enden: Wer gerade eine Seite geöffnet hat, muss sie neu öffnen.',
  ],
  revokeUsed: 'Zuletzt benutzt:',
  revoked: (key) => `Der Schlüssel ${key} wurde widerrufen.`,
};
