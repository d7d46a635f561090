import type { ConsoleConnection } from '@docfetch/sdk';
import { Facts } from '../../../../ui/src/components/list/facts';
import { Notice, type Tone } from '../../../../ui/src/components/notice';
import { Moment } from '../../components/moment';
import { HEALTH_TONES, STATUS_TONES } from '../connections/connection-states';
import { useConnectionViewMessages } from './messages/use-connection-view-messages';

const TONES: Readonly<Record<string, Tone>> = { good: 'good', wait: 'warning', bad: 'bad', off: 'info' };

/** The reason for the state of the connection, in one sentence from the service. */
export function Explanation({ connection }: { readonly connection: ConsoleConnection }) {
  const messages = useConnectionViewMessages();
  const { reason, status, health, explanation, failed_documents: failed } = connection;
  const state = TONES[status === 'ACTIVE' ? HEALTH_TONES[health] : STATUS_TONES[status]] ?? 'info';
  const tone = state === 'good' && failed > 0 ? 'warning' : state;
  if (!reason) return <Notice tone={tone} title={explanation} />;
  return (
    <Notice tone={tone} title={explanation}>
      <p className="about">
        <Facts
          facts={[
            <Moment key="since" at={reason.since} inline />,
            reason.action === null || reason.action === 'WAIT' ? messages.waiting.NOBODY : messages.waiting.USER,
          ]}
        />
      </p>
    </Notice>
  );
}
