/** Texts about documents that a fetch left out. Loaded with the history. */
export const filtered = {
  title: (count: number) => (count === 1 ? 'One file not fetched' : `${count} files not fetched`),
};
