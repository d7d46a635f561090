import { type Connection, type Fetch, getConnection, type Integration, listFetches } from '@docfetch/sdk';
import { useRef } from 'react';
import { loadIntegration as findIntegration } from '../../api/integrations';
import { usePoll } from '../../api/use-poll';
import { useQuery } from '../../api/use-query';
import { Action, RouteLink } from '../../components/action';
import { CheckCircle } from '../../components/icons';
import { Loading } from '../../components/loading';
import { Logo } from '../../components/logo';
import { Notice, ProblemNotice } from '../../components/notice';
import { Page } from '../../components/page';
import type { Messages } from '../../messages/en';
import { useMessages } from '../../messages/use-messages';
import { useSession } from '../../session/session';
import { ConnectionProblem } from '../connection/connection-problem';
import { ReceivedDocuments } from '../connection/received-documents';
import { findRecoveryFetch, recoveryResult, type RecoveryResult } from './recovery-result';

/** The end of a repair: follows the fetch that catches up. Only its success proves that the connection works again. */
export function Recovery({ uuid }: { uuid: string }) {
  const { messages, lang } = useMessages();
  const { client } = useSession();
  const { data, problem, reload } = useQuery(async () => {
    const { data: connection } = await getConnection({ client, path: { uuid } });
    return { connection, integration: await findIntegration(client, connection.integration_id) };
  }, `${uuid} ${lang}`);
  const repairedAt = useRef<string | null>(null);
  if (data) repairedAt.current ??= data.connection.updated_at;
  if (problem && !data)
    return (
      <Page title={messages.overview.title}>
        <ProblemNotice problem={problem} retry={() => void reload()} />
      </Page>
    );
  if (!data) return <Loading />;
  return (
    <Page title={data.connection.name} logo={<Logo url={data.integration?.logo_url} size={52} />}>
      {/* The texts of the service are in the language in which they were requested. */}
      <RecoveryProgress key={lang} {...data} repairedAt={repairedAt.current!} />
    </Page>
  );
}

interface RecoveryProgressProps {
  readonly connection: Connection;
  readonly integration: Integration | null;
  readonly repairedAt: string;
}

interface Progress {
  readonly fetch: Fetch | null;
  readonly connection: Connection;
}

function RecoveryProgress({ connection: initial, integration, repairedAt }: RecoveryProgressProps) {
  const { messages } = useMessages();
  const { client } = useSession();
  const path = { uuid: initial.uuid };
  const latest = usePoll(
    async (): Promise<Progress> => {
      const { data: fetches } = await listFetches({ client, path, query: { limit: 10 } });
      // After the fetches: when one has ended, the connection shows what follows from it.
      const { data: connection } = await getConnection({ client, path });
      return { fetch: findRecoveryFetch(fetches, repairedAt), connection };
    },
    (progress) => recoveryResult(progress) !== 'PENDING',
  );
  const progress = latest ?? { fetch: null, connection: initial };
  const result = recoveryResult(progress);
  const { fetch, connection } = progress;
  const hasFailed = result === 'FAILED' || result === 'STOPPED';
  return (
    <section className="first-fetch">
      {/* The element stays, because screen readers announce changes of an existing region. */}
      <p role="status" className={result === 'PENDING' ? 'fetch-line' : 'fetch-line over'}>
        {result === 'PENDING' ? <span className="spinner" aria-hidden="true" /> : null}
        {result === 'WORKS' ? <CheckCircle /> : null}
        <span>{hasFailed ? null : statusText(result, fetch, messages)}</span>
      </p>
      {result === 'PENDING' ? <p className="help">{messages.done.noWaiting}</p> : null}
      {result === 'WORKS' && fetch!.counts.failed > 0 ? (
        <p className="help">{messages.done.partial(fetch!.counts.failed)}</p>
      ) : null}
      {fetch?.finished_at && fetch.counts.new > 0 ? (
        <>
          <h2 className="group-title">{messages.done.documents}</h2>
          <ReceivedDocuments uuid={connection.uuid} fetchUuid={fetch.uuid} />
        </>
      ) : null}
      {hasFailed ? (
        <RecoveryProblem connection={connection} fetch={fetch} integrationName={integration?.name ?? ''} />
      ) : null}
      <RecoveryActions uuid={connection.uuid} hasFailed={hasFailed} />
    </section>
  );
}

function statusText(result: RecoveryResult, fetch: Fetch | null, messages: Messages): string {
  const found = fetch?.counts.new ?? 0;
  if (result === 'WORKS') return messages.recovery.works(found);
  if (found > 0) return messages.done.found(found);
  return fetch ? messages.recovery.running : messages.recovery.waiting;
}

/** What is still wrong: the reason of the connection with the action that helps, or why the fetch did not run to its end. */
function RecoveryProblem({
  connection,
  fetch,
  integrationName,
}: {
  readonly connection: Connection;
  readonly fetch: Fetch | null;
  readonly integrationName: string;
}) {
  const { messages } = useMessages();
  if (connection.reason && connection.status !== 'DISABLED')
    return (
      <ConnectionProblem
        connection={connection}
        integrationName={integrationName}
        title={messages.recovery.stillBroken}
      />
    );
  return (
    <Notice tone="warning" role="alert" title={messages.recovery.stillBroken}>
      <p>{connection.status === 'DISABLED' ? messages.fetched.paused : fetch?.error?.message}</p>
    </Notice>
  );
}

function RecoveryActions({ uuid, hasFailed }: { uuid: string; hasFailed: boolean }) {
  const { messages } = useMessages();
  const { session, clientName, returnToClient } = useSession();
  return (
    <div className="actions">
      {session.has_return_url && !hasFailed ? (
        <Action variant="primary" onPress={() => void returnToClient()}>
          {clientName ? messages.leave.finishTo(clientName) : messages.leave.finishPlain}
        </Action>
      ) : null}
      <RouteLink to={{ view: 'connection', uuid }} variant={hasFailed ? 'plain' : 'quiet'} how="replace">
        {messages.edit.more}
      </RouteLink>
    </div>
  );
}
