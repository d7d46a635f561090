import {
  type Backlog,
  getServiceStatus,
  type QueueStatus,
  type ServiceStatus,
  type WorkerProcess,
} from '@docfetch/sdk';
import { Loading } from '../../../../ui/src/components/loading';
import { Notice, ProblemNotice } from '../../../../ui/src/components/notice';
import { useMessages } from '../../../../ui/src/messages/use-messages';
import type { Lang } from '../../../../ui/src/messages/date-format';
import { Badge } from '../../components/badge';
import { DescriptionList } from '../../components/description-list';
import { Moment } from '../../components/moment';
import { Page, Section } from '../../components/page';
import { useLiveData } from '../../components/use-live-data';
import { type Column, Table } from '../../list/table';
import { formatNumber } from '../../messages/dates';
import { useConsole } from '../../session/console-session';
import type { ViewProps } from '../views';
import { useServiceMessages } from './messages/use-service-messages';

type Messages = ReturnType<typeof useServiceMessages>;

/** Backlogs are counted up to this number. */
const MAX_COUNTED = 10_000;

/** Workers, waiting work, queues and versions of the installation. */
export function Service(_: ViewProps) {
  const messages = useServiceMessages();
  const { lang } = useMessages();
  const { client } = useConsole();
  const { data, problem, reload } = useLiveData(async () => (await getServiceStatus({ client })).data, 'service');
  return (
    <Page title={messages.title} lead={<p>{messages.lead}</p>}>
      {problem ? <ProblemNotice problem={problem} retry={() => void reload()} /> : null}
      {data ? (
        <>
          <div role="status">
            {data.workers.running ? null : (
              <Notice tone="bad" title={messages.notRunning}>
                <p>{messages.notRunningText}</p>
              </Notice>
            )}
          </div>
          <div className="side-by-side">
            <Workers status={data} lang={lang} messages={messages} />
            <Versions status={data} messages={messages} />
          </div>
          {data.workers.processes.length > 0 ? (
            <Section title={messages.processes}>
              <Table
                caption={messages.processes}
                rows={data.workers.processes}
                keyOf={({ worker_uuid: uuid }) => uuid}
                columns={processColumns(messages)}
              />
            </Section>
          ) : null}
          <Section title={messages.backlog}>
            <Table
              caption={messages.backlog}
              rows={data.backlogs}
              keyOf={({ kind }) => kind}
              columns={backlogColumns(messages, lang)}
            />
          </Section>
          <Section title={messages.queues}>
            <Table
              caption={messages.queues}
              rows={data.queues}
              keyOf={({ name }) => name}
              columns={queueColumns(messages, lang)}
            />
          </Section>
        </>
      ) : problem ? null : (
        <Loading />
      )}
    </Page>
  );
}

function Workers({ status, lang, messages }: { status: ServiceStatus; lang: Lang; messages: Messages }) {
  const { workers, open_circuits: circuits, overdue_connections: overdue } = status;
  const running = workers.processes.filter((worker) => worker.running).length;
  const number = (count: number) => <Badge tone={count > 0 ? 'bad' : 'good'}>{formatNumber(count, lang)}</Badge>;
  return (
    <Section title={messages.workers}>
      <DescriptionList
        rows={[
          [
            messages.workers,
            <Badge key="workers" tone={workers.running ? 'good' : 'bad'}>
              {workers.running ? messages.runningCount(formatNumber(running, lang)) : messages.notRunning}
            </Badge>,
          ],
          [messages.lastSeen, <Moment key="seen" at={workers.last_seen_at} inline />],
          [
            messages.abandoned,
            <span key="abandoned">
              {number(workers.abandoned_fetches)} <span className="second">{messages.abandonedHelp}</span>
            </span>,
          ],
          [messages.openCircuits, number(circuits)],
          [
            messages.overdue,
            overdue === undefined ? <span className="soft">{messages.counting}</span> : number(overdue),
          ],
        ]}
      />
    </Section>
  );
}

function Versions({ status: { versions }, messages }: { status: ServiceStatus; messages: Messages }) {
  return (
    <Section title={messages.versions}>
      <DescriptionList
        rows={[
          [messages.service, versions.service],
          [messages.node, versions.node],
          [messages.database, versions.database],
          [
            messages.schema,
            <code key="schema" className="long-code">
              {versions.schema}
            </code>,
          ],
        ]}
      />
    </Section>
  );
}

const processColumns = (messages: Messages): Column<WorkerProcess>[] => [
  { id: 'host', label: messages.host, isName: true, cell: ({ host }) => <code className="long-code">{host}</code> },
  { id: 'role', label: messages.role, cell: ({ role }) => messages.roles[role] },
  { id: 'version', label: messages.version, cell: ({ version }) => version },
  { id: 'started', label: messages.started, cell: ({ started_at: at }) => <Moment at={at} /> },
  {
    ...{ id: 'state', label: messages.state },
    cell: ({ running, last_seen_at: at }) =>
      running ? (
        <Badge tone="good">{messages.running}</Badge>
      ) : (
        <>
          <Badge tone="bad">{messages.silent}</Badge> <Moment at={at} />
        </>
      ),
  },
];

function backlogColumns(messages: Messages, lang: Lang): Column<Backlog>[] {
  return [
    { id: 'kind', label: messages.kind, isName: true, cell: ({ kind }) => messages.kinds[kind] },
    {
      ...{ id: 'count', label: messages.count, align: 'end' },
      cell: ({ count }) =>
        count >= MAX_COUNTED ? messages.atMost(formatNumber(count, lang)) : formatNumber(count, lang),
    },
    {
      ...{ id: 'oldest', label: messages.oldest },
      cell: ({ oldest_since: since }) => (since ? <Moment at={since} /> : messages.nothing),
    },
  ];
}

function queueColumns(messages: Messages, lang: Lang): Column<QueueStatus>[] {
  const count = (id: 'queued' | 'active' | 'failed'): Column<QueueStatus> => ({
    ...{ id, label: messages[id], align: 'end' },
    cell: (row) => formatNumber(row[id], lang),
  });
  return [
    { id: 'name', label: messages.queue, isName: true, cell: ({ name }) => <code>{name}</code> },
    count('queued'),
    count('active'),
    {
      ...{ id: 'failed', label: messages.failed, align: 'end' },
      cell: ({ failed }) =>
        failed > 0 ? <Badge tone="bad">{formatNumber(failed, lang)}</Badge> : formatNumber(failed, lang),
    },
    { id: 'counted', label: messages.counted, cell: ({ counted_at: at }) => <Moment at={at} /> },
  ];
}
