import type { AuditMessages } from './en';

export const de: AuditMessages = {
  title: 'Änderungsprotokoll',
  lead: 'Alle Änderungen über die API, die Konsole und die Kommandozeile, und wer sie vorgenommen hat. Geheimnisse sind nicht enthalten.',
  action: 'Aktion',
  actionFilter: 'Aktion oder Objektart',
  actor: 'Akteur',
  object: 'Objekt',
  from: 'Ab',
  to: 'Bis',
  when: 'Zeitpunkt',
  details: 'Einzelheiten',
  scope: 'Umgebungen',
  allEnvironments: 'Alle, einschließlich der Installation',
  thisEnvironment: 'Nur diese',
  environment: 'Umgebung',
  installation: 'die ganze Installation',
  empty: 'Es wurde noch nichts geändert.',
  actors: {
    cli: 'Kommandozeile',
    console: 'Konsolensitzung',
    key: 'API-Schlüssel',
    token: 'Benutzer mit UI-Token',
  },
  you: 'diese Sitzung',
};
