import type { documents as en } from './en';

export const documents: typeof en = {
  none: 'Es gibt noch keine Dokumente.',
  more: 'Weitere Dokumente anzeigen',
  ofFetch: (count) => (count === 1 ? 'Ein Dokument' : `${count} Dokumente`),
  alsoAs: (files) => `auch als ${files} erhalten`,
  delivery: {
    PENDING: 'Noch nicht zugestellt',
    DELIVERED: 'Zugestellt',
    FAILED: 'Nicht zustellbar',
    AVAILABLE: 'Zur Abholung bereit',
    ACKNOWLEDGED: 'Angenommen',
    REJECTED: 'Abgelehnt',
  },
  failures: {
    title: (count) =>
      count === 1 ? 'Ein Dokument konnte nicht abgerufen werden' : `${count} Dokumente konnten nicht abgerufen werden`,
    text: 'Wo es helfen kann, versuchen wir es erneut. Was Sie nicht brauchen, können Sie überspringen.',
    dismiss: 'Überspringen',
    confirmTitle: (name) => `„${name}“ überspringen?`,
    confirmText:
      'Dieses Dokument wird nicht mehr abgerufen, bis es in der Quelle geändert wird. Dann wird es wie ein neues Dokument abgerufen. Die Datei in der Quelle bleibt unverändert.',
    confirm: 'Dokument überspringen',
    dismissed: (name) => `„${name}“ wird übersprungen.`,
  },
};
