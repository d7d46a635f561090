/** Texts of a list of passwords. Loaded with it. */
export const passwords = {
  another: (at: number) => `Password ${at}`,
  add: 'Add another password',
  remove: 'Remove all stored passwords',
};
