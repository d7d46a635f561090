import type { OverviewMessages } from './en';

export const de: OverviewMessages = {
  title: 'Übersicht',
  attention: 'Was Aufmerksamkeit braucht',
  nothing: 'Zurzeit braucht nichts Ihre Aufmerksamkeit.',
  connections: 'Verbindungen',
  byHealth: 'Nach Zustand',
  total: 'Alle',
  fetches: 'Abrufe der letzten 24 Stunden',
  deliveries: 'Zustellungen der letzten 24 Stunden',
  ok: 'erfolgreich',
  failed: 'fehlgeschlagen',
  sum: (ok, failed) => `${ok} erfolgreich, ${failed} fehlgeschlagen`,
  table: 'Als Tabelle anzeigen',
  hour: 'Stunde',
  none: 'Es gab keine.',
  most: (count) => `bis zu ${count} je Stunde`,
};
