import type { ConsoleEndpoint, ConsoleMinute } from '@docfetch/sdk';
import { useMessages } from '../../../../ui/src/messages/use-messages';
import { Section } from '../../components/page';
import { formatNumber } from '../../messages/dates';
import { formatMs } from '../../messages/durations';
import { useEndpointMessages } from './messages/use-endpoint-messages';

const MINUTES = 60;
const HEIGHT = 80;
const STEP = 10;
const BAR = 7;
/** So that one failure among thousands is still seen. */
const MIN_BAR = 2;

/** Rates and durations of the last hour. */
export function LastHour({ endpoint: { minutes, latency } }: { readonly endpoint: ConsoleEndpoint }) {
  const messages = useEndpointMessages();
  const { lang } = useMessages();
  const number = (count: number) => formatNumber(count, lang);
  const ok = minutes.reduce((sum, minute) => sum + minute.ok, 0);
  const failed = minutes.reduce((sum, minute) => sum + minute.failed, 0);
  const most = Math.max(0, ...minutes.map((minute) => minute.ok + minute.failed));
  const rows = [
    [messages.accepted, number(ok)],
    [messages.rejected, number(failed)],
    [messages.most, number(most)],
    ...(latency
      ? [
          [messages.p50, formatMs(latency.p50_ms, lang)],
          [messages.p95, formatMs(latency.p95_ms, lang)],
        ]
      : []),
  ];
  return (
    <Section title={messages.lastHourTitle}>
      {most === 0 ? (
        <p className="soft">{messages.noAttempts}</p>
      ) : (
        <>
          <dl className="numbers">
            {rows.map(([label, value]) => (
              <div key={label}>
                <dt>{label}</dt>
                <dd>{value}</dd>
              </div>
            ))}
          </dl>
          <Bars minutes={minutes} most={most} label={messages.chart(number(ok), number(failed))} />
        </>
      )}
    </Section>
  );
}

/** A bar for each minute, divided into what was accepted and what failed. The numbers above say the same. */
function Bars({
  minutes,
  most,
  label,
}: {
  readonly minutes: readonly ConsoleMinute[];
  readonly most: number;
  readonly label: string;
}) {
  const now = Math.floor(Date.now() / 60_000);
  const height = (count: number) => (count === 0 ? 0 : Math.max(MIN_BAR, (count / most) * HEIGHT));
  return (
    <svg className="minutes" role="img" aria-label={label} viewBox={`0 0 ${MINUTES * STEP} ${HEIGHT + MIN_BAR}`}>
      {minutes.map(({ minute, ok, failed }) => {
        const x = (MINUTES - 1 - (now - Math.floor(Date.parse(minute) / 60_000))) * STEP;
        const [good, bad] = [height(ok), height(failed)];
        return (
          <g key={minute}>
            <rect className="ok" x={x} y={HEIGHT - good} width={BAR} height={good} />
            <rect className="failed" x={x} y={Math.max(0, HEIGHT - good - bad)} width={BAR} height={bad} />
          </g>
        );
      })}
      <line x1="0" x2={MINUTES * STEP} y1={HEIGHT + 1} y2={HEIGHT + 1} />
    </svg>
  );
}
