import type { CircuitState, Environment } from '@docfetch/sdk';
import { Breakable } from '../../../../ui/src/components/breakable';
import { useMessages } from '../../../../ui/src/messages/use-messages';
import { lazy } from '../../../../ui/src/components/lazy';
import { Badge, type BadgeTone } from '../../components/badge';
import { ConsoleLink } from '../../components/console-link';
import { Facts } from '../../components/facts';
import { Moment } from '../../components/moment';
import { Section } from '../../components/page';
import { formatSize } from '../../messages/sizes';
import { hrefOf } from '../../route';
import { useConsole } from '../../session/console-session';
import { useEndpointMessages } from './messages/use-endpoint-messages';

const TONES: Readonly<Record<CircuitState, BadgeTone>> = { CLOSED: 'good', OPEN: 'bad', HALF_OPEN: 'wait' };

/** Only the support team may read how requests are authenticated. */
const Authentication = lazy(() => import('./authentication').then((it) => it.Authentication));

export function EndpointState({ environment }: { readonly environment: Environment }) {
  const messages = useEndpointMessages();
  const { lang } = useMessages();
  const { role } = useConsole();
  const { strategy, url, circuit, failing_since: since } = environment.provisioning;
  const isSupport = role === 'SUPPORT';
  return (
    <Section
      title={messages.state}
      actions={
        isSupport ? (
          <ConsoleLink href={hrefOf('settings', { tab: 'provisioning' })}>{messages.change}</ConsoleLink>
        ) : null
      }
    >
      {strategy === 'PUSH' ? (
        <>
          <p>
            <Badge tone={TONES[circuit]}>{messages.circuits[circuit]}</Badge>
          </p>
          <p className="view-lead">{messages.circuitTexts[circuit]}</p>
        </>
      ) : (
        <p className="view-lead">{messages.noPushText[strategy]}</p>
      )}
      <Facts
        rows={[
          since !== null && [messages.failingSince, <Moment key="since" at={since} inline />],
          [messages.strategy, messages.strategies[strategy]],
          url !== null && [
            messages.url,
            <span key="url">
              <Breakable>{url}</Breakable> <span className="second">{messages.urlHelp}</span>
            </span>,
          ],
          strategy === 'PUSH' && [
            messages.pushLimit,
            <span key="limit">
              {formatSize(environment.limits.push_limit_bytes, lang)}{' '}
              <span className="second">{messages.pushLimitHelp}</span>
            </span>,
          ],
        ]}
      />
      {isSupport ? <Authentication /> : <p className="help">{messages.askSupport}</p>}
    </Section>
  );
}
