import { type Connection, getConnection, getConnectionInformation } from '@docfetch/sdk';
import { useCallback, useRef, useState } from 'react';
import { loadIntegration as findIntegration } from '../../api/integrations';
import { isChanging } from '../../api/next-step';
import type { Problem } from '../../api/problem';
import { useQuery } from '../../api/use-query';
import { usePoll } from '../../api/use-poll';
import { type FlashMessage, useFlash } from '../../components/flash-message';
import { InboxAddress } from '../../components/inbox-address';
import { Loading } from '../../components/loading';
import { Logo } from '../../components/logo';
import { LiveRegion } from '../../components/live-region';
import { ProblemNotice } from '../../components/notice';
import { Facts } from '../../components/list/facts';
import { Page } from '../../components/page';
import { FetchSchedule, StatusBadge } from '../../components/connection-status';
import { useSession } from '../../session/session';
import { useMessages } from '../../messages/use-messages';
import { ConnectionActions } from './connection-actions';
import { ConnectionProblem } from './connection-problem';
import { ConnectionSettings } from './connection-settings';
import { FailedDocuments } from './failed-documents';
import { ReceivedDocuments } from './received-documents';
import { Timeline } from './timeline';

/** One connection: its status, the next step, actions, settings and timeline. */
export function ConnectionView({ uuid }: { uuid: string }) {
  const { messages, lang } = useMessages();
  const { client, session } = useSession();
  const [message, setMessage] = useFlash();
  const [failed, setFailed] = useState<Problem | null>(null);
  const [changes, setChanges] = useState(0);
  const latestChange = useRef(0);
  const { data, problem, reload } = useQuery(async () => {
    const path = { uuid };
    const [{ data: connection }, { data: information }] = await Promise.all([
      getConnection({ client, path }),
      getConnectionInformation({ client, path }),
    ]);
    return { connection, information, integration: await findIntegration(client, connection.integration_id) };
  }, `${uuid} ${lang}`);
  const changed = useCallback(
    async (next: FlashMessage | null, failure: Problem | null = null) => {
      const change = ++latestChange.current;
      setFailed(failure);
      await reload();
      if (change !== latestChange.current) return;
      // Together with the state that it describes.
      setMessage(next);
      setChanges((count) => count + 1);
    },
    [reload, setMessage],
  );
  usePoll(
    async () => (await getConnection({ client, path: { uuid } })).data,
    (latest) => {
      if (isChanging(latest)) return false;
      void reload().then(() => setChanges((count) => count + 1));
      return true;
    },
    data !== null && isChanging(data.connection),
  );
  const free = session.preselection.connection_uuid === null && session.preselection.integration_id === null;
  const back = free ? ({ view: 'home' } as const) : null;

  if (problem && !data)
    return (
      <Page
        title={
          problem.kind === 'not-found'
            ? message
              ? messages.remove.done
              : messages.problem.notFoundTitle
            : messages.overview.title
        }
        back={back}
      >
        {problem.kind === 'not-found' ? (
          <p className="lead">{message?.text ?? messages.problem.notFoundText}</p>
        ) : (
          <ProblemNotice problem={problem} retry={() => void reload()} />
        )}
      </Page>
    );
  if (!data) return <Loading />;
  const { connection, information, integration } = data;
  const { inbox_address: inbox, reason } = connection;
  // The denial is the reason: it replaces the sentence of the service, which says the same.
  const isDenied = reason?.code === 'AUTHORIZATION_PENDING' && message?.about === 'denied';
  return (
    <Page
      title={connection.name}
      back={back}
      logo={<Logo url={integration?.logo_url} size={52} />}
      lead={<Subtitle connection={connection} name={integration?.name} />}
    >
      <LiveRegion message={isDenied ? null : message} />
      {failed ? <ProblemNotice problem={failed} /> : null}
      {problem ? <ProblemNotice problem={problem} retry={() => void reload()} /> : null}
      <ConnectionProblem
        connection={connection}
        integrationName={integration?.name ?? ''}
        denial={isDenied ? message.text : undefined}
      />
      {inbox ? <InboxAddress address={inbox} /> : null}
      <FetchSchedule connection={connection} hidesPause={message?.about === 'paused'} />
      {connection.failed_documents > 0 ? (
        <FailedDocuments uuid={uuid} count={connection.failed_documents} changed={changed} />
      ) : null}
      <ConnectionActions connection={connection} integration={integration} changed={changed} />
      <section>
        <h2 className="group-title">{messages.documents.title}</h2>
        <ReceivedDocuments uuid={uuid} changes={changes} />
      </section>
      <ConnectionSettings information={information} connection={connection} />
      <Timeline uuid={uuid} changes={changes} isInbox={inbox !== null} />
    </Page>
  );
}

function Subtitle({ connection, name }: { connection: Connection; name: string | undefined }) {
  const { account, inbox_address: inbox } = connection;
  // The address of an inbox follows below.
  const about = [name, inbox ? null : account?.display].filter((text) => text && text !== connection.name);
  return (
    <p className="about-line">
      <StatusBadge connection={connection} />
      <Facts facts={about} />
    </p>
  );
}
