import type { documents as en } from './en';

export const documents: typeof en = {
  none: 'Es gibt noch keine Dokumente.',
  more: 'Weitere Dokumente anzeigen',
  ofFetch: (count) => (count === 1 ? 'Dokument anzeigen' : `${count} Dokumente anzeigen`),
  alsoAs: (files) => `auch als ${files} erhalten`,
};
