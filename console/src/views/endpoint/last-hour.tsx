import type { ConsoleEndpoint } from '@docfetch/sdk';
import { useMessages } from '../../../../ui/src/messages/use-messages';
import { Bars } from '../../components/bars';
import { Section } from '../../components/page';
import { formatNumber } from '../../messages/dates';
import { formatMs } from '../../messages/durations';
import { useEndpointMessages } from './messages/use-endpoint-messages';

const MINUTES = 60;
const SIZE = { height: 80, step: 10, width: 7 };

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
          <Bars
            bars={minutes.map((minute) => ({ ...minute, key: minute.minute, slot: slotOf(minute.minute) }))}
            slots={MINUTES}
            most={most}
            label={messages.chart(number(ok), number(failed))}
            legend={{ ok: messages.accepted, failed: messages.rejected }}
            size={SIZE}
          />
        </>
      )}
    </Section>
  );
}

/** The current minute is the last one. */
const slotOf = (minute: string): number =>
  MINUTES - 1 - (Math.floor(Date.now() / 60_000) - Math.floor(Date.parse(minute) / 60_000));
