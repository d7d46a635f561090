import type { AuditMessages } from './en';

export const de: AuditMessages = {
  title: 'Änderungsprotokoll',
  lead: 'Jede Änderung über die Schnittstelle, die Konsole und die Kommandozeile, und wer sie vorgenommen hat. Es enthält keine Geheimnisse.',
  action: 'Aktion',
  actionFilter: 'Aktion oder Art des Objekts',
  actor: 'Wer',
  object: 'Objekt',
  from: 'Ab (UTC)',
  to: 'Vor (UTC)',
  when: 'Wann',
  details: 'Einzelheiten',
  scope: 'Umgebungen',
  allEnvironments: 'Alle und die Installation',
  thisEnvironment: 'Diese',
  environment: 'Umgebung',
  installation: 'die ganze Installation',
  empty: 'Es wurde noch nichts geändert.',
  actors: {
    cli: 'Kommandozeile',
    console: 'Konsolensitzung',
    key: 'API-Schlüssel',
    token: 'Person mit UI-Token',
  },
  you: 'diese Sitzung',
};
