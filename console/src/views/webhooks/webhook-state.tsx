import type { Webhook } from '@docfetch/sdk';
import { Badge } from '../../components/badge';
import { useWebhookMessages } from './messages/use-webhook-messages';

export function WebhookState({ webhook: { disabled_reason: reason } }: { readonly webhook: Webhook }) {
  const { enabled, disabledReasons } = useWebhookMessages();
  if (!reason) return <Badge tone="good">{enabled}</Badge>;
  return <Badge tone={reason === 'FAILING' ? 'bad' : 'off'}>{disabledReasons[reason]}</Badge>;
}
