export const documents = {
  none: 'There are no documents yet.',
  more: 'Show more documents',
  ofFetch: (count: number) => (count === 1 ? 'One document' : `${count} documents`),
  /** Other forms in which the same invoice came. */
  alsoAs: (files: string) => `also received as ${files}`,
  /** Whether a document has reached the application. */
  delivery: {
    PENDING: 'Not delivered yet',
    DELIVERED: 'Delivered',
    FAILED: 'Could not be delivered',
    AVAILABLE: 'Ready for pickup',
    ACKNOWLEDGED: 'Accepted',
    REJECTED: 'Rejected',
  },
  failures: {
    title: (count: number) =>
      count === 1 ? 'One document could not be fetched' : `${count} documents could not be fetched`,
    text: 'We try again where that can help. You can skip what you do not need.',
    dismiss: 'Skip',
    confirmTitle: (name: string) => `Skip “${name}”?`,
    confirmText:
      'This document is no longer fetched, until it is changed at the source. Then it is fetched like a new document. The file at the source stays as it is.',
    confirm: 'Skip this document',
    dismissed: (name: string) => `“${name}” is skipped.`,
  },
};
