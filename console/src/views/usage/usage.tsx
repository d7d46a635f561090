import { type EnvironmentUsage, listUsage } from '@docfetch/sdk';
import { useState } from 'react';
import { Loading } from '../../../../ui/src/components/loading';
import { ProblemNotice } from '../../../../ui/src/components/notice';
import { useMessages } from '../../../../ui/src/messages/use-messages';
import { type Lang, LOCALES } from '../../../../ui/src/messages/date-format';
import { Page } from '../../components/page';
import { useData } from '../../components/use-data';
import { ChoiceField } from '../../form/fields';
import { FaultsContext, faultsOf } from '../../form/form-context';
import { type Column, Table } from '../../list/table';
import { formatNumber } from '../../messages/dates';
import { formatSize } from '../../messages/sizes';
import { useConsole } from '../../session/console-session';
import type { ViewProps } from '../views';
import { ExportUsage } from './export-usage';
import { Limits } from './limits';
import { useUsageMessages } from './messages/use-usage-messages';

const FIELDS = ['from', 'to'];

/** The usage of the environment by month, and its limits. */
export function Usage(_: ViewProps) {
  const messages = useUsageMessages();
  const { lang } = useMessages();
  const { client } = useConsole();
  const [from, setFrom] = useState('');
  const [to, setTo] = useState('');
  const query = { ...(from && { from }), ...(to && { to }) };
  const { data, problem, reload } = useData(
    async () => (await listUsage({ client, query })).data,
    `usage ${from} ${to}`,
  );
  const months = lastMonths(lang);
  const faults = faultsOf(problem, FIELDS);
  return (
    <Page title={messages.title} lead={<p>{messages.lead}</p>} actions={<ExportUsage query={query} />}>
      <form className="filters months" onSubmit={(event) => event.preventDefault()}>
        <FaultsContext value={faults}>
          <ChoiceField
            {...{ name: 'from', label: messages.from }}
            value={from}
            onChange={setFrom}
            options={[['', messages.lastYear], ...months]}
          />
          <ChoiceField
            {...{ name: 'to', label: messages.to }}
            value={to}
            onChange={setTo}
            options={[['', messages.thisMonth], ...months]}
          />
        </FaultsContext>
      </form>
      {problem && faults.size === 0 ? <ProblemNotice problem={problem} retry={() => void reload()} /> : null}
      {data ? (
        <Table
          caption={messages.title}
          rows={data.toReversed()}
          keyOf={({ month }) => month}
          columns={columnsOf(messages, lang)}
        />
      ) : problem ? null : (
        <Loading />
      )}
      <Limits />
    </Page>
  );
}

function columnsOf(messages: ReturnType<typeof useUsageMessages>, lang: Lang): Column<EnvironmentUsage>[] {
  const count = (id: 'connections' | 'fetches' | 'documents'): Column<EnvironmentUsage> => ({
    ...{ id, label: messages[id], align: 'end' },
    cell: (row) => formatNumber(row[id], lang),
  });
  return [
    {
      ...{ id: 'month', label: messages.month, isName: true },
      cell: ({ month }) => (
        <>
          {monthName(month, lang)}{' '}
          {month === new Date().toISOString().slice(0, 7) ? <span className="soft">{messages.current}</span> : null}
        </>
      ),
    },
    count('connections'),
    count('fetches'),
    count('documents'),
    { id: 'bytes', label: messages.bytes, align: 'end', cell: ({ bytes }) => formatSize(bytes, lang) },
  ];
}

/** The last four years, newest first. The input for months is missing in two of the browsers. */
const lastMonths = (lang: Lang): [string, string][] =>
  Array.from({ length: 48 }, (_, index) => {
    const now = new Date();
    const month = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - index, 1)).toISOString().slice(0, 7);
    return [month, monthName(month, lang)];
  });

const monthName = (month: string, lang: Lang): string =>
  new Intl.DateTimeFormat(LOCALES[lang], { month: 'long', year: 'numeric', timeZone: 'UTC' }).format(
    new Date(`${month}-01T00:00:00Z`),
  );
