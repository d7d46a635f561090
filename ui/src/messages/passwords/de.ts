import type { passwords as english } from './en';

/** Texts of a list of passwords. Loaded with it. */
export const passwords: typeof english = {
  another: (at) => `Passwort ${at}`,
  add: 'Weiteres Passwort hinzufügen',
  remove: 'Alle gespeicherten Passwörter entfernen',
};
