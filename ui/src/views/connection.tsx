import { type Connection, getConnection, getConnectionInformation, updateConnection } from '@docfetch/sdk';
import { useCallback, useState } from 'react';
import { authorizeAt } from '../authorize/authorize';
import { integration as findIntegration } from '../api/integrations';
import { nextStep } from '../api/next-step';
import type { Problem } from '../api/problem';
import { useAct } from '../api/use-act';
import { useLoad } from '../api/use-load';
import { usePoll } from '../api/use-poll';
import { Action, Go } from '../parts/action';
import { type Said, useFlash } from '../parts/flash';
import { Loading } from '../parts/loading';
import { Logo } from '../parts/logo';
import { News } from '../parts/news';
import { Notice, ProblemNotice } from '../parts/notice';
import { Page } from '../parts/page';
import { Schedule, State } from '../parts/state';
import { useSession } from '../session/session';
import { sayMoment } from '../words/moments';
import { useWords } from '../words/use-words';
import { ConnectionActions } from './connection-actions';
import { ConnectionSettings } from './connection-settings';
import { Timeline } from './timeline';

/** One connection: how it does, what helps, what one can do, what was entered, what happened. */
export function ConnectionView({ uuid }: { uuid: string }) {
  const { words, lang } = useWords();
  const { client, session } = useSession();
  const [said, setSaid] = useFlash();
  const [failed, setFailed] = useState<Problem | null>(null);
  const [changes, setChanges] = useState(0);
  const { data, problem, reload } = useLoad(async () => {
    const path = { uuid };
    const [{ data: connection }, { data: information }] = await Promise.all([
      getConnection({ client, path }),
      getConnectionInformation({ client, path }),
    ]);
    return { connection, information, integration: await findIntegration(client, connection.integration_id) };
  }, `${uuid} ${lang}`);
  const changed = useCallback(
    async (news: Said | null, trouble: Problem | null = null) => {
      setSaid(news);
      setFailed(trouble);
      await reload();
      setChanges((count) => count + 1);
    },
    [reload, setSaid],
  );
  const last = data?.connection.last_fetch;
  usePoll(
    async () => (await getConnection({ client, path: { uuid } })).data.last_fetch,
    (fetch) => {
      if (!fetch?.finished_at) return false;
      void reload().then(() => setChanges((count) => count + 1));
      return true;
    },
    last !== null && last !== undefined && last.finished_at === null,
  );
  const free = session.preselection.connection_uuid === null && session.preselection.integration_id === null;
  const back = free ? ({ view: 'home' } as const) : null;

  if (problem && !data)
    return (
      <Page
        title={problem.kind === 'gone' ? (said ? words.remove.done : words.problem.goneTitle) : words.overview.title}
        back={back}
      >
        {problem.kind === 'gone' ? (
          <p className="lead">{said?.text ?? words.problem.goneText}</p>
        ) : (
          <ProblemNotice problem={problem} retry={() => void reload()} />
        )}
      </Page>
    );
  if (!data) return <Loading />;
  const { connection, information, integration } = data;
  return (
    <Page
      title={connection.name}
      back={back}
      logo={<Logo url={integration?.logo_url} size={52} />}
      lead={<About connection={connection} name={integration?.name} />}
    >
      <News said={said} />
      {failed ? <ProblemNotice problem={failed} /> : null}
      {problem ? <ProblemNotice problem={problem} retry={() => void reload()} /> : null}
      <Trouble connection={connection} integrationName={integration?.name ?? ''} />
      <Schedule connection={connection} />
      <ConnectionActions connection={connection} integration={integration} changed={changed} />
      <ConnectionSettings information={information} connection={connection} />
      <Timeline key={changes} uuid={uuid} />
    </Page>
  );
}

function About({ connection, name }: { connection: Connection; name: string | undefined }) {
  return (
    <p className="about-line">
      <State connection={connection} />
      <span>{[name, connection.account?.display].filter((text) => text && text !== connection.name).join(' · ')}</span>
    </p>
  );
}

/** What is wrong, in words for people, and the one thing that helps. */
function Trouble({ connection, integrationName }: { connection: Connection; integrationName: string }) {
  const { words, lang } = useWords();
  const { client } = useSession();
  const { act, busy, problem } = useAct();
  const { reason, status, uuid } = connection;
  if (!reason || status === 'DISABLED') return null;
  const step = nextStep(connection, words.action);
  const authorize = async () => {
    const renewed = await act(() => updateConnection({ client, path: { uuid }, body: { fields: {} } }));
    const url = renewed?.done?.data.authorization_url;
    if (url) authorizeAt(url, uuid);
  };
  return (
    <Notice tone={reason.action === 'WAIT' ? 'info' : 'warning'}>
      <p>{reason.message}</p>
      <p className="about">{words.fetched.since(sayMoment(reason.since, lang, words.when))}</p>
      {problem ? <ProblemNotice problem={problem} /> : null}
      {step && typeof step.to === 'object' ? (
        <p className="notice-actions">
          <Go to={step.to} weight="primary">
            {step.label}
          </Go>
        </p>
      ) : null}
      {step?.to === 'authorize' ? (
        <p className="notice-actions">
          <Action weight="primary" busy={busy} onPress={() => void authorize()}>
            {words.connect.authorize(integrationName)}
          </Action>
        </p>
      ) : null}
    </Notice>
  );
}
