import type { OverviewMessages } from './en';

export const de: OverviewMessages = {
  title: 'Übersicht',
  attention: 'Handlungsbedarf',
  nothing: 'Zurzeit besteht kein Handlungsbedarf.',
  connections: 'Verbindungen',
  byHealth: 'Nach Zustand',
  total: 'Gesamt',
  counting: 'Die Verbindungen werden gezählt …',
  fetches: 'Abrufe in den letzten 24 Stunden',
  deliveries: 'Zustellungen in den letzten 24 Stunden',
  ok: 'erfolgreich',
  failed: 'fehlgeschlagen',
  sum: (ok, failed) => `${ok} erfolgreich, ${failed} fehlgeschlagen`,
  table: 'Als Tabelle anzeigen',
  hour: 'Stunde',
  none: 'Keine in den letzten 24 Stunden.',
  most: (count) => `bis zu ${count} pro Stunde`,
};
