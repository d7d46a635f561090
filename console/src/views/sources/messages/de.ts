import type { SourcesMessages } from './en';

export const de: SourcesMessages = {
  title: 'Fehlende Quellen und Rechnungen',
  parts: 'Fehlende Quellen und Rechnungen',
  tabs: { requested: 'Gewünschte Quellen', expected: 'Ausgebliebene Rechnungen' },
  requestedLead: 'Was Benutzer in der gehosteten Oberfläche gewünscht haben, weil sie es nicht gefunden haben.',
  requestedEmpty: 'Noch hat niemand eine Quelle gewünscht.',
  text: 'Gewünscht',
  identity: 'Identität',
  when: 'Wann',
  expectedLead: 'Monatliche Lieferanten, deren nächste Rechnung ausgeblieben ist.',
  expectedEmpty: 'Es fehlt keine Rechnung.',
  expectedOff: 'Für diese Umgebung werden ausgebliebene Rechnungen nicht gemeldet. Der Support kann das einschalten.',
  supplier: 'Lieferant',
  unnamed: 'ohne Namen',
  connection: 'Kam zuletzt aus',
  lastDates: 'Daten der letzten',
  expectedBy: 'Rechtzeitig bis',
};
