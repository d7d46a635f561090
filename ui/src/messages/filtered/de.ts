import type { filtered as english } from './en';

/** Texts about documents that a fetch left out. Loaded with the history. */
export const filtered: typeof english = {
  title: (count) => (count === 1 ? 'Eine Datei nicht abgerufen' : `${count} Dateien nicht abgerufen`),
};
