import type { Connection } from '@docfetch/sdk';
import { Notice, type Tone } from '../../../../ui/src/components/notice';
import { Moment } from '../../components/moment';
import { HEALTH_TONES } from '../connections/connection-states';
import { useConnectionViewMessages } from './messages/use-connection-view-messages';

const TONES: Readonly<Record<string, Tone>> = { good: 'good', wait: 'warning', bad: 'bad', off: 'info' };

/** Why the connection is as it is, in one sentence of the service. */
export function Explanation({ connection }: { readonly connection: Connection }) {
  const messages = useConnectionViewMessages();
  const { reason, status, health } = connection;
  if (!reason) return status === 'ACTIVE' && health === 'OK' ? <Notice tone="good" title={messages.healthy} /> : null;
  const tone = status === 'INVALID_CREDENTIALS' ? 'bad' : (TONES[HEALTH_TONES[health]] ?? 'info');
  return (
    <Notice tone={tone} title={reason.message}>
      <p className="about">
        {messages.since} <Moment at={reason.since} inline />
        {'. '}
        {reason.action === null || reason.action === 'WAIT' ? messages.waiting.NOBODY : messages.waiting.USER}
      </p>
    </Notice>
  );
}
