/** Texts of a list of passwords. Loaded with it. */
export const passwords = {
  another: (label: string, at: number) => `${label} (${at})`,
  add: 'Add another password',
  remove: 'Remove all stored passwords',
};
