import type { SourcesMessages } from './en';

export const de: SourcesMessages = {
  title: 'Fehlende Quellen und Rechnungen',
  parts: 'Fehlende Quellen und Rechnungen',
  tabs: { requested: 'Gewünschte Quellen', expected: 'Fehlende Rechnungen' },
  requestedLead: 'Quellen, die Benutzer in der gehosteten Oberfläche nicht gefunden und sich gewünscht haben.',
  requestedEmpty: 'Bisher wurde keine Quelle gewünscht.',
  text: 'Gewünschte Quelle',
  identity: 'Identität',
  when: 'Zeitpunkt',
  expectedLead:
    'Monatliche Lieferanten, deren nächste Rechnung nicht rechtzeitig kam. Sie kann inzwischen eingetroffen sein.',
  expectedEmpty: 'Es wurde keine fehlende Rechnung gemeldet.',
  expectedOff: 'In dieser Umgebung werden fehlende Rechnungen nicht gemeldet. Der Support kann das einschalten.',
  supplier: 'Lieferant',
  unnamed: 'ohne Namen',
  connection: 'Zuletzt erhalten aus',
  lastDates: 'Daten der letzten Rechnungen',
  expectedBy: 'Erwartet bis',
};
