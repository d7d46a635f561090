import type { ConnectionMessages } from './en';

export const de: ConnectionMessages = {
  title: 'Verbindungen',
  connection: 'Verbindung',
  search: 'Name, Konto, Identität oder UUID',
  status: 'Status',
  health: 'Zustand',
  integration: 'Integration',
  identity: 'Identität',
  lastSuccess: 'Letzter Erfolg',
  uuid: 'UUID',
  empty:
    'Es gibt noch keine Verbindungen. Sie erscheinen hier, sobald jemand in der gehosteten Oberfläche eine Quelle verbindet.',
  noIntegrations: 'Die Namen der Integrationen konnten nicht geladen werden.',
  statuses: {
    ACTIVE: 'Aktiv',
    PENDING: 'Einrichtung nicht abgeschlossen',
    INVALID_CREDENTIALS: 'Zugangsdaten abgelehnt',
    DISABLED: 'Deaktiviert',
  },
  healths: {
    OK: 'In Ordnung',
    DEGRADED: 'Verzögert',
    ACTION_REQUIRED: 'Handlungsbedarf',
    UNKNOWN: 'Noch unbekannt',
  },
};
