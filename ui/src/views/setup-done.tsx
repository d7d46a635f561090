import {
  type Connection,
  type Fetch,
  getConnection,
  listConnectionTransactions,
  listFetches,
  type Transaction,
} from '@docfetch/sdk';
import { loadIntegration as findIntegration } from '../api/integrations';
import { useQuery } from '../api/use-query';
import { usePoll } from '../api/use-poll';
import { Action, RouteLink } from '../components/action';
import { DocumentList } from '../components/list/document-list';
import { InboxAddress } from '../components/inbox-address';
import { CheckCircle } from '../components/icons';
import { Loading } from '../components/loading';
import { Logo } from '../components/logo';
import { Notice, ProblemNotice } from '../components/notice';
import { Page } from '../components/page';
import { useSession } from '../session/session';
import { useInboxMessages } from '../messages/inbox/use-inbox-messages';
import { useMessages } from '../messages/use-messages';

const MAX_DOCUMENTS = 5;
const isFinished = (fetch: Fetch | null) => fetch !== null && fetch.finished_at !== null;

/** The end of the setup: shows the progress and the documents of the first fetch. */
export function SetupDone({ uuid }: { uuid: string }) {
  const { messages, lang } = useMessages();
  const inboxMessages = useInboxMessages();
  const { client } = useSession();
  const { data, problem, reload } = useQuery(async () => {
    const { data: connection } = await getConnection({ client, path: { uuid } });
    return { connection, integration: await findIntegration(client, connection.integration_id) };
  }, `${uuid} ${lang}`);
  if (problem)
    return (
      <Page title={messages.done.title}>
        <ProblemNotice problem={problem} retry={() => void reload()} />
      </Page>
    );
  if (!data) return <Loading />;
  return (
    <Page
      title={data.connection.inbox_address ? inboxMessages.done : messages.done.title}
      logo={<Logo url={data.integration?.logo_url} size={52} />}
      lead={data.connection.inbox_address ? null : <p>{messages.done.lead(data.connection.name)}</p>}
    >
      {data.connection.inbox_address ? (
        <InboxAddress address={data.connection.inbox_address} />
      ) : (
        <FirstFetch connection={data.connection} />
      )}
      <NextActions uuid={uuid} />
    </Page>
  );
}

function FirstFetch({ connection }: { connection: Connection }) {
  const { messages } = useMessages();
  const { client } = useSession();
  const { uuid } = connection;
  const progress = usePoll(
    async (before: FetchProgress | null): Promise<FetchProgress> => {
      const fetch = (await listFetches({ client, path: { uuid }, query: { limit: 1 } })).data[0] ?? null;
      const hasNew = fetch && fetch.counts.new !== (before?.fetch?.counts.new ?? 0);
      const documents = hasNew
        ? (await listConnectionTransactions({ client, path: { uuid }, query: { limit: MAX_DOCUMENTS } })).data
        : (before?.documents ?? []);
      return { fetch, documents };
    },
    ({ fetch }) => isFinished(fetch),
  );
  const { fetch, documents } = progress ?? { fetch: null, documents: [] };
  const found = fetch?.counts.new ?? 0;
  const finished = isFinished(fetch);
  const failed = fetch?.status === 'FAILED' || fetch?.status === 'CANCELLED';
  const text = finished
    ? messages.done.finished(found)
    : found > 0
      ? messages.done.found(found)
      : fetch?.status === 'RUNNING'
        ? messages.done.running
        : messages.done.waiting;
  return (
    <section className="first-fetch">
      {failed ? (
        <Notice tone="warning" role="alert" title={messages.done.failed}>
          <p>{fetch?.error?.message}</p>
        </Notice>
      ) : (
        <p role="status" className={finished ? 'fetch-line over' : 'fetch-line'}>
          {finished ? <CheckCircle /> : <span className="spinner" aria-hidden="true" />}
          <span>{text}</span>
        </p>
      )}
      {finished ? null : <p className="help">{messages.done.noWaiting}</p>}
      {finished && !failed && fetch!.counts.failed > 0 ? (
        <p className="help">{messages.done.partial(fetch!.counts.failed)}</p>
      ) : null}
      {documents.length > 0 ? <Documents documents={documents} more={found - documents.length} /> : null}
    </section>
  );
}

interface FetchProgress {
  readonly fetch: Fetch | null;
  readonly documents: readonly Transaction[];
}

function Documents({ documents, more }: { documents: readonly Transaction[]; more: number }) {
  const { messages } = useMessages();
  return (
    <>
      <h2 className="group-title">{messages.done.documents}</h2>
      <DocumentList documents={documents} />
      {more > 0 ? <p className="about">{messages.done.andMore(more)}</p> : null}
    </>
  );
}

function NextActions({ uuid }: { uuid: string }) {
  const { messages } = useMessages();
  const { session, clientName, returnToClient, isAllowed } = useSession();
  const free = session.preselection.integration_id === null && session.preselection.connection_uuid === null;
  return (
    <div className="actions">
      {session.has_return_url ? (
        <Action variant="primary" onPress={() => void returnToClient('success')}>
          {clientName ? messages.leave.finishTo(clientName) : messages.leave.finishPlain}
        </Action>
      ) : null}
      {free && isAllowed('CREATE') ? (
        <RouteLink to={{ view: 'choose' }} variant="plain">
          {messages.done.another}
        </RouteLink>
      ) : null}
      <RouteLink to={free ? { view: 'home' } : { view: 'connection', uuid }} variant="quiet">
        {free ? messages.done.overview : messages.done.manage}
      </RouteLink>
    </div>
  );
}
