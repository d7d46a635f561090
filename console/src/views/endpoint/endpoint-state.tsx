import type { CircuitState, ConsoleEndpoint } from '@docfetch/sdk';
import { Breakable } from '../../../../ui/src/components/breakable';
import { useMessages } from '../../../../ui/src/messages/use-messages';
import { Badge, type BadgeTone } from '../../components/badge';
import { ConsoleLink } from '../../components/console-link';
import { DescriptionList } from '../../components/description-list';
import { Moment } from '../../components/moment';
import { Section } from '../../components/page';
import { formatNumber } from '../../messages/dates';
import { formatSize } from '../../messages/sizes';
import { hrefOf } from '../../route';
import { useConsole } from '../../session/console-session';
import { useEndpointMessages } from './messages/use-endpoint-messages';

const TONES: Readonly<Record<CircuitState, BadgeTone>> = { CLOSED: 'good', OPEN: 'bad', HALF_OPEN: 'wait' };
/** The service counts no more. */
const MAX_WAITING = 100_000;

/** The circuit in words, and where documents go; secrets are not known here. */
export function EndpointState({ endpoint }: { readonly endpoint: ConsoleEndpoint }) {
  const messages = useEndpointMessages();
  const { lang } = useMessages();
  const { role, environment } = useConsole();
  const { strategy, circuit, url, auth, waiting, failing_since: since, next_trial_at: next } = endpoint;
  const isPush = strategy === 'PUSH';
  const count = formatNumber(waiting, lang);
  return (
    <Section
      title={messages.state}
      actions={
        role === 'SUPPORT' ? (
          <ConsoleLink href={hrefOf('settings', { tab: 'provisioning' })}>{messages.change}</ConsoleLink>
        ) : null
      }
    >
      {isPush ? (
        <p>
          <Badge tone={TONES[circuit]}>{messages.circuits[circuit]}</Badge>
        </p>
      ) : null}
      <p className="view-lead">{isPush ? messages.circuitTexts[circuit] : messages.noPushText[strategy]}</p>
      <DescriptionList
        rows={[
          since !== null && [messages.failingSince, <Moment key="since" at={since} inline />],
          next !== null && [messages.nextTrial, <Moment key="next" at={next} inline />],
          isPush && [messages.waitingCount, waiting >= MAX_WAITING ? messages.atMost(count) : count],
          [messages.strategy, messages.strategies[strategy]],
          url !== null && [messages.url, <Breakable key="url">{url}</Breakable>],
          isPush && [messages.auth, messages.auths[auth]],
          isPush &&
            environment !== null && [
              messages.pushLimit,
              <span key="limit">
                {formatSize(environment.limits.push_limit_bytes, lang)}{' '}
                <span className="second">{messages.pushLimitHelp}</span>
              </span>,
            ],
        ]}
      />
      {role === 'SUPPORT' ? null : <p className="help">{messages.askSupport}</p>}
    </Section>
  );
}
