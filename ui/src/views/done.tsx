import {
  type Connection,
  type Fetch,
  getConnection,
  listFetches,
  listTransactions,
  type Transaction,
} from '@docfetch/sdk';
import { integration as findIntegration } from '../api/integrations';
import { useLoad } from '../api/use-load';
import { usePoll } from '../api/use-poll';
import { Action, Go } from '../parts/action';
import { CheckCircle, File } from '../parts/icons';
import { Loading } from '../parts/loading';
import { Logo } from '../parts/logo';
import { Notice, ProblemNotice } from '../parts/notice';
import { Page } from '../parts/page';
import { useSession } from '../session/session';
import { sayDay } from '../words/moments';
import { useWords } from '../words/use-words';

const SHOWN = 5;
const isOver = (fetch: Fetch | null) => fetch !== null && fetch.finished_at !== null;

/** The end of the setup: what the first fetch finds, while it finds it. */
export function Done({ uuid }: { uuid: string }) {
  const { words, lang } = useWords();
  const { client } = useSession();
  const { data, problem, reload } = useLoad(async () => {
    const { data: connection } = await getConnection({ client, path: { uuid } });
    return { connection, about: await findIntegration(client, connection.integration_id) };
  }, `${uuid} ${lang}`);
  if (problem)
    return (
      <Page title={words.done.title}>
        <ProblemNotice problem={problem} retry={() => void reload()} />
      </Page>
    );
  if (!data) return <Loading />;
  return (
    <Page
      title={words.done.title}
      logo={<Logo url={data.about?.logo_url} size={52} />}
      lead={<p>{words.done.lead(data.connection.name)}</p>}
    >
      <FirstFetch connection={data.connection} />
      <Onwards uuid={uuid} />
    </Page>
  );
}

function FirstFetch({ connection }: { connection: Connection }) {
  const { words } = useWords();
  const { client } = useSession();
  const { uuid } = connection;
  const seen = usePoll(
    async (before: Progress | null): Promise<Progress> => {
      const fetch = (await listFetches({ client, path: { uuid }, query: { limit: 1 } })).data[0] ?? null;
      const grown = fetch && fetch.counts.new !== (before?.fetch?.counts.new ?? 0);
      const documents = grown
        ? (await listTransactions({ client, query: { connection_uuid: uuid, limit: SHOWN } })).data
        : (before?.documents ?? []);
      return { fetch, documents };
    },
    ({ fetch }) => isOver(fetch),
  );
  const { fetch, documents } = seen ?? { fetch: null, documents: [] };
  const found = fetch?.counts.new ?? 0;
  const over = isOver(fetch);
  const failed = fetch?.status === 'FAILED' || fetch?.status === 'CANCELLED';
  const sentence = over
    ? words.done.finished(found)
    : found > 0
      ? words.done.found(found)
      : fetch?.status === 'RUNNING'
        ? words.done.running
        : words.done.waiting;
  return (
    <section className="first-fetch">
      {failed ? (
        <Notice tone="warning" role="alert" title={words.done.failed}>
          <p>{fetch?.error?.message}</p>
        </Notice>
      ) : (
        <p role="status" className={over ? 'fetch-line over' : 'fetch-line'}>
          {over ? <CheckCircle /> : <span className="spinner" aria-hidden="true" />}
          <span>{sentence}</span>
        </p>
      )}
      {over ? null : <p className="help">{words.done.noWaiting}</p>}
      {over && !failed && fetch!.counts.failed > 0 ? (
        <p className="help">{words.done.partial(fetch!.counts.failed)}</p>
      ) : null}
      {documents.length > 0 ? <Documents documents={documents} more={found - documents.length} /> : null}
    </section>
  );
}

interface Progress {
  readonly fetch: Fetch | null;
  readonly documents: readonly Transaction[];
}

function Documents({ documents, more }: { documents: readonly Transaction[]; more: number }) {
  const { words, lang } = useWords();
  return (
    <>
      <h2 className="group-title">{words.done.documents}</h2>
      <ul className="documents">
        {documents.map(({ transaction_uuid, document, metadata, document_type }) => (
          <li key={transaction_uuid}>
            <File />
            <span className="document-name">{document.filename}</span>
            <span className="about">
              {[words.documentType[document_type], metadata.date ? sayDay(metadata.date, lang) : null]
                .filter(Boolean)
                .join(' · ')}
            </span>
          </li>
        ))}
      </ul>
      {more > 0 ? <p className="about">{words.done.andMore(more)}</p> : null}
    </>
  );
}

function Onwards({ uuid }: { uuid: string }) {
  const { words } = useWords();
  const { session, clientName, leave, may } = useSession();
  const free = session.preselection.integration_id === null && session.preselection.connection_uuid === null;
  return (
    <div className="actions">
      {session.has_return_url ? (
        <Action weight="primary" onPress={() => void leave('success')}>
          {clientName ? words.leave.finishTo(clientName) : words.leave.finishPlain}
        </Action>
      ) : null}
      {free && may('CREATE') ? (
        <Go to={{ view: 'choose' }} weight="plain">
          {words.done.another}
        </Go>
      ) : null}
      <Go to={free ? { view: 'home' } : { view: 'connection', uuid }} weight="quiet">
        {free ? words.done.overview : words.done.manage}
      </Go>
    </div>
  );
}
