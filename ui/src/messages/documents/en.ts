export const documents = {
  none: 'There are no documents yet.',
  more: 'Show more documents',
  ofFetch: (count: number) => (count === 1 ? 'Show the document' : `Show ${count} documents`),
  /** Other forms in which the same invoice came. */
  alsoAs: (files: string) => `also received as ${files}`,
};
