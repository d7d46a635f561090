export const en = {
  title: 'Transactions',
  lead: 'All fetched documents and the state of their delivery.',
  search: 'File name, number, supplier or UUID',
  status: 'Delivery',
  type: 'Type',
  connection: 'Connection UUID',
  identity: 'Identity UUID',
  from: 'Fetched from',
  to: 'Fetched until',
  document: 'Document',
  amount: 'Amount and date',
  created: 'Fetched',
  uuid: 'UUID',
  empty: 'There are no documents yet. They appear here as soon as a connection has fetched something.',
  statuses: {
    PENDING: 'Waiting',
    DELIVERED: 'Delivered',
    FAILED: 'Failed',
    AVAILABLE: 'Ready to be pulled',
    ACKNOWLEDGED: 'Acknowledged',
    REJECTED: 'Rejected',
  },
  damaged: 'damaged',
  encrypted: 'encrypted',
  duplicate: 'duplicate invoice',
  renditions: (count: number) => (count === 1 ? '1 other rendition' : `${count} other renditions`),
  valid: 'e-invoice valid',
  invalid: (errors: number) => (errors === 1 ? 'e-invoice: 1 error' : `e-invoice: ${errors} errors`),
  redeliver: {
    selected: (count: number) => `Redeliver selected (${count})`,
    maxSelected: (count: string) =>
      `${count} documents are selected. More cannot be redelivered at once; filter by status to redeliver all matches.`,
    all: 'Redeliver all matches …',
    title: 'Redeliver documents?',
    count: {
      PUSH: (count: number, text: string) =>
        count === 1
          ? 'One document is sent to the endpoint again.'
          : `${text} documents are sent to the endpoint again.`,
      WEBHOOK: (count: number, text: string) =>
        count === 1
          ? 'One document is announced to the webhooks again.'
          : `${text} documents are announced to the webhooks again.`,
      POLLING: (count: number, text: string) =>
        count === 1 ? 'One document becomes available again.' : `${text} documents become available again.`,
    },
    note: {
      PUSH: (count: number): string =>
        count === 1
          ? 'Your endpoint receives it with the same transaction_uuid as before and should ignore it if it already has it.'
          : 'Your endpoint receives them with the same transaction_uuid as before and should ignore those it already has.',
      WEBHOOK: (count: number): string =>
        count === 1
          ? 'It keeps its transaction_uuid. Your application should ignore it if it already has it.'
          : 'They keep their transaction_uuid. Your application should ignore those it already has.',
      POLLING: (count: number): string =>
        count === 1
          ? 'It keeps its place in the feed. An application that continues from its cursor does not see it, but finds it with status=AVAILABLE.'
          : 'They keep their place in the feed. An application that continues from its cursor does not see them, but finds them with status=AVAILABLE.',
    },
    nothing: 'None of these documents can be redelivered: their content is deleted.',
    skipped: (count: string) => `Skipped because their content is deleted: ${count}.`,
    background: 'The service does this in the background. You can leave the page.',
    submit: 'Redeliver',
    requested: (count: number, text: string) =>
      count === 1 ? 'One document is being redelivered.' : `${text} documents are being redelivered.`,
    running: 'Redeliveries',
    chosen: 'Selected documents',
    withStatus: (status: string) => `Delivery “${status}”`,
    progress: (done: string, total: string) => `${done} of ${total}`,
    finished: 'finished',
  },
};

export type TransactionTexts = typeof en;
