import type { EventMessages } from './en';

export const de: EventMessages = {
  title: 'Ereignisse',
  lead: 'Alle Ereignisse, die neuesten zuerst, auch solche, die kein Webhook abonniert hat.',
  event: 'Ereignis',
  type: 'Art',
  connection: 'Verbindung',
  from: 'Ab',
  subject: 'Betrifft',
  deliveries: 'Webhooks',
  noDeliveries: 'keine',
  statuses: { SENT: 'Zugestellt', FAILED: 'Nicht zugestellt', INTERRUPTED: 'Unbekannt' },
  status: (code) => `Status ${code}`,
  noAnswer: 'keine Antwort',
  when: 'Zeitpunkt',
  empty: 'Es gibt noch keine Ereignisse.',
  data: 'Daten',
  resend: 'Erneut senden',
  resendTitle: 'Dieses Ereignis erneut senden?',
  resendText:
    'Jeder aktive Webhook, der diese Art von Ereignissen abonniert hat, erhält es noch einmal mit derselben ID (webhook-id). Daran erkennt ein Empfänger, dass er es schon hat.',
  resent: (webhooks) =>
    webhooks === 1
      ? 'Das Ereignis wird erneut an einen Webhook gesendet.'
      : `Das Ereignis wird erneut an ${webhooks} Webhooks gesendet.`,
  resentToNone: 'Kein aktiver Webhook hat diese Art von Ereignissen abonniert, deshalb wird es nicht gesendet.',
  openConnection: 'Verbindung',
  openTransaction: 'Transaktion',
};
