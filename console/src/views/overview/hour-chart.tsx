import type { ConsoleHour } from '@docfetch/sdk';
import { useId } from 'react';
import { Button, Disclosure, DisclosurePanel } from 'react-aria-components';
import { ChevronDown } from '../../../../ui/src/components/icons';
import { useMessages } from '../../../../ui/src/messages/use-messages';
import { Section } from '../../components/page';
import { Table } from '../../list/table';
import { formatHour, formatNumber } from '../../messages/dates';
import { useOverviewMessages } from './messages/use-overview-messages';

const HEIGHT = 120;
const BAR = 14;
const STEP = 20;
/** So that one failure among thousands is still seen. */
const MIN_BAR = 3;

/** A bar for each hour, divided into what succeeded and what failed. The same is in a table. */
export function HourChart({ title, hours }: { readonly title: string; readonly hours: readonly ConsoleHour[] }) {
  const messages = useOverviewMessages();
  const { lang } = useMessages();
  const ok = hours.reduce((sum, hour) => sum + hour.ok, 0);
  const failed = hours.reduce((sum, hour) => sum + hour.failed, 0);
  const most = Math.max(...hours.map((hour) => hour.ok + hour.failed), 0);
  const number = (count: number) => formatNumber(count, lang);
  return (
    <Section title={title}>
      <p className="soft">
        {most === 0 ? messages.none : `${messages.sum(number(ok), number(failed))} · ${messages.most(number(most))}`}
      </p>
      {most > 0 ? (
        <Bars hours={hours} most={most} label={`${title}: ${messages.sum(number(ok), number(failed))}`} />
      ) : null}
      <p className="legend" aria-hidden="true">
        <span className="legend-ok" /> {messages.ok} <span className="legend-failed" /> {messages.failed}
      </p>
      <Disclosure>
        <Button slot="trigger" className="disclosure-button">
          <ChevronDown /> {messages.table}
        </Button>
        <DisclosurePanel>
          <Table
            caption={title}
            rows={hours}
            keyOf={({ hour }) => hour}
            columns={[
              { id: 'hour', label: messages.hour, isName: true, cell: ({ hour }) => formatHour(hour, lang) },
              { id: 'ok', label: messages.ok, align: 'end', cell: (hour) => number(hour.ok) },
              { id: 'failed', label: messages.failed, align: 'end', cell: (hour) => number(hour.failed) },
            ]}
          />
        </DisclosurePanel>
      </Disclosure>
    </Section>
  );
}

function Bars({
  hours,
  most,
  label,
}: {
  readonly hours: readonly ConsoleHour[];
  readonly most: number;
  readonly label: string;
}) {
  const { lang } = useMessages();
  const pattern = useId();
  const heightOf = (count: number) => (count === 0 ? 0 : Math.max(MIN_BAR, (count / most) * HEIGHT));
  return (
    <svg className="chart" viewBox={`0 0 ${hours.length * STEP} ${HEIGHT + 22}`} role="img" aria-label={label}>
      <defs>
        {/* Failures also differ by their pattern, not by color alone. */}
        <pattern id={pattern} width="4" height="4" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
          <rect width="4" height="4" className="bar-failed" />
          <rect width="1.5" height="4" className="bar-stripe" />
        </pattern>
      </defs>
      <line x1="0" x2={hours.length * STEP} y1={HEIGHT + 0.5} y2={HEIGHT + 0.5} className="axis" />
      {hours.map((hour, index) => {
        const failed = heightOf(hour.failed);
        const ok = Math.min(heightOf(hour.ok), HEIGHT - failed);
        const x = index * STEP + (STEP - BAR) / 2;
        return (
          <g key={hour.hour}>
            <rect className="bar-ok" x={x} y={HEIGHT - ok} width={BAR} height={ok} />
            <rect fill={`url(#${pattern})`} x={x} y={HEIGHT - ok - failed} width={BAR} height={failed} />
            {index % 6 === 0 ? (
              <text x={x} y={HEIGHT + 16} className="axis-text">
                {formatHour(hour.hour, lang)}
              </text>
            ) : null}
          </g>
        );
      })}
    </svg>
  );
}
