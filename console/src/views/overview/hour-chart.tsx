import type { ConsoleHour } from '@docfetch/sdk';
import { Expandable } from '../../../../ui/src/components/expandable';
import { Facts } from '../../../../ui/src/components/list/facts';
import { useMessages } from '../../../../ui/src/messages/use-messages';
import { Bars } from '../../components/bars';
import { Section } from '../../components/page';
import { Table } from '../../list/table';
import { formatHour, formatNumber } from '../../messages/dates';
import { useOverviewMessages } from './messages/use-overview-messages';

const SIZE = { height: 120, step: 20, width: 14 };
const HOURS_PER_TEXT = 6;

/** A bar for each hour, divided into successes and failures, and the same numbers in a table. */
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
        {most === 0 ? (
          messages.none
        ) : (
          <Facts facts={[messages.sum(number(ok), number(failed)), messages.most(number(most))]} />
        )}
      </p>
      {most > 0 ? (
        <Bars
          bars={hours.map((hour, slot) => ({
            ...{ key: hour.hour, slot, ok: hour.ok, failed: hour.failed },
            text: slot % HOURS_PER_TEXT === 0 ? formatHour(hour.hour, lang) : undefined,
          }))}
          slots={hours.length}
          most={most}
          label={`${title}: ${messages.sum(number(ok), number(failed))}`}
          legend={messages}
          size={SIZE}
        />
      ) : null}
      <Expandable title={messages.table}>
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
      </Expandable>
    </Section>
  );
}
