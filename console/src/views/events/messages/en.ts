export const en = {
  title: 'Events',
  lead: 'All events, newest first, including those to which no webhook subscribes.',
  event: 'Event',
  type: 'Type',
  connection: 'Connection',
  from: 'From',
  subject: 'Subject',
  deliveries: 'Webhooks',
  noDeliveries: 'none',
  statuses: { SENT: 'Delivered', FAILED: 'Not delivered', INTERRUPTED: 'Unknown' },
  status: (code: number) => `status ${code}`,
  noAnswer: 'no response',
  when: 'Time',
  empty: 'There are no events yet.',
  data: 'Data',
  resend: 'Send again',
  resendTitle: 'Send this event again?',
  resendText:
    'Every enabled webhook that subscribes to its type receives it once more, with the same ID (webhook-id), by which a receiver recognizes it.',
  resent: (webhooks: number) =>
    webhooks === 1 ? 'The event is sent to one webhook again.' : `The event is sent to ${webhooks} webhooks again.`,
  resentToNone: 'No enabled webhook subscribes to this type, so the event is not sent.',
  openConnection: 'Connection',
  openTransaction: 'Transaction',
};

export type EventMessages = typeof en;
