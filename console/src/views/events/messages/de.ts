import type { EventMessages } from './en';

export const de: EventMessages = {
  title: 'Ereignisse',
  lead: 'Wovon Webhooks erfahren, das Neueste zuerst; auch Ereignisse, die kein Webhook abonniert hat.',
  event: 'Ereignis',
  type: 'Art',
  connection: 'Verbindung',
  from: 'Ab (UTC)',
  about: 'Betrifft',
  deliveries: 'Webhooks',
  noDeliveries: 'keine',
  statuses: { SENT: 'Zugestellt', FAILED: 'Nicht zugestellt', INTERRUPTED: 'Nicht bekannt' },
  status: (code) => `Status ${code}`,
  noAnswer: 'keine Antwort',
  when: 'Wann',
  empty: 'Es ist noch nichts geschehen.',
  data: 'Daten',
  resend: 'Erneut senden',
  resendTitle: 'Dieses Ereignis erneut senden?',
  resendText:
    'Jeder aktive Webhook, der seine Art abonniert hat, erhält es noch einmal, mit derselben ID (webhook-id). Daran erkennt ein Empfänger, dass er es schon hat.',
  resent: (webhooks) =>
    webhooks === 1
      ? 'Das Ereignis wird erneut an einen Webhook gesendet.'
      : `Das Ereignis wird erneut an ${webhooks} Webhooks gesendet.`,
  resentToNone: 'Kein aktiver Webhook hat diese Art abonniert: Das Ereignis wird an keinen gesendet.',
  openConnection: 'Verbindung',
  openTransaction: 'Transaktion',
};
