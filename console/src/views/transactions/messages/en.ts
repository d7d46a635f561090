export const en = {
  title: 'Transactions',
  lead: 'Every fetched document and where it is on its way to you.',
  search: 'File name, number, supplier or uuid',
  status: 'Delivery',
  type: 'Type',
  connection: 'Connection UUID',
  identity: 'Identity UUID',
  from: 'Fetched from',
  to: 'Fetched until',
  document: 'Document',
  amount: 'Date and amount',
  created: 'Fetched',
  uuid: 'UUID',
  empty: 'There are no documents yet. They appear here as soon as a connection has fetched something.',
  documentTypes: {
    invoice: 'Invoice',
    credit_note: 'Credit note',
    receipt: 'Receipt',
    bank_statement: 'Bank statement',
    reminder: 'Reminder',
    delivery_note: 'Delivery note',
    order_confirmation: 'Order confirmation',
    contract: 'Contract',
    document: 'Document',
  },
  statuses: {
    PENDING: 'Waiting',
    DELIVERED: 'Delivered',
    FAILED: 'Failed',
    AVAILABLE: 'Ready for pickup',
    ACKNOWLEDGED: 'Acknowledged',
    REJECTED: 'Rejected',
  },
  damaged: 'damaged',
  encrypted: 'encrypted',
  duplicate: 'invoice more than once',
  renditions: (count: number) => (count === 1 ? '1 other form' : `${count} other forms`),
  valid: 'e-invoice valid',
  invalid: (errors: number) => (errors === 1 ? 'e-invoice: 1 error' : `e-invoice: ${errors} errors`),
  redeliver: {
    selected: (count: number) => (count === 1 ? 'Redeliver 1 selected' : `Redeliver ${count} selected`),
    all: 'Redeliver all that match …',
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
        count === 1
          ? 'One document is made ready for pickup again.'
          : `${text} documents are made ready for pickup again.`,
    },
    note: {
      PUSH: 'Your endpoint receives them with the same transaction_uuid as before and should ignore those that it already has.',
      WEBHOOK: 'They keep their transaction_uuid: your application should ignore those that it already has.',
      POLLING:
        'They keep their place in the feed. An application that reads on from its cursor does not see them: it finds them with status=AVAILABLE.',
    },
    nothing: 'None of these documents can be redelivered: their content is deleted.',
    skipped: (count: string) => `${count} more are left out, because their content is deleted.`,
    background: 'The service does this in the background: you can leave the page.',
    submit: 'Redeliver',
    requested: (count: number, text: string) =>
      count === 1 ? 'One document is being redelivered.' : `${text} documents are being redelivered.`,
    running: 'Redeliveries',
    chosen: 'Selected documents',
    progress: (done: string, total: string) => `${done} of ${total}`,
    finished: 'finished',
  },
};

export type TransactionMessages = typeof en;
