export const en = {
  title: 'Events',
  lead: 'What webhooks are told of, newest first; also events to which no webhook subscribes.',
  event: 'Event',
  type: 'Type',
  connection: 'Connection',
  from: 'From (UTC)',
  about: 'About',
  deliveries: 'Webhooks',
  noDeliveries: 'none',
  statuses: { SENT: 'Delivered', FAILED: 'Not delivered', INTERRUPTED: 'Not known' },
  status: (code: number) => `status ${code}`,
  noAnswer: 'no answer',
  when: 'When',
  empty: 'Nothing has happened yet.',
  data: 'Data',
  resend: 'Send again',
  resendTitle: 'Send this event again?',
  resendText:
    'Every enabled webhook that subscribes to its type gets it once more, with the same id (webhook-id), by which a receiver knows that it has it already.',
  resent: (webhooks: number) =>
    webhooks === 1 ? 'The event is sent to one webhook again.' : `The event is sent to ${webhooks} webhooks again.`,
  resentToNone: 'No enabled webhook subscribes to this type: the event is sent to none.',
  openConnection: 'Connection',
  openTransaction: 'Transaction',
};

export type EventMessages = typeof en;
