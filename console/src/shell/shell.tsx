import { type ConsoleSession, endConsoleSession, type Environment, getEnvironment } from '@docfetch/sdk';
import { useCallback, useEffect, useMemo, useState } from 'react';
import { type Problem, problemOf } from '../../../ui/src/api/problem';
import { useMutation } from '../../../ui/src/api/use-mutation';
import { type Query, useQuery } from '../../../ui/src/api/use-query';
import { Notice, ProblemNotice } from '../../../ui/src/components/notice';
import { useMessages } from '../../../ui/src/messages/use-messages';
import { SessionEndContext } from '../../../ui/src/session/session-end-context';
import { LoadNotice } from '../components/load-notice';
import { useConsoleMessages } from '../messages/use-console-messages';
import { hrefOf, navigate, parseAddress, useAddress } from '../route';
import { clientFor } from '../session/client';
import { ConsoleContext, type ConsoleState, useConsole } from '../session/console-session';
import { SessionOver } from '../session/session-over';
import { useMinutesLeft } from '../session/use-minutes-left';
import { Header } from './header';
import { Navigation } from './navigation';
import { ViewRouter } from './view-router';

/** Header, navigation and the current view of a signed-in user. */
export function Shell({
  session,
  onOpen,
  onSignOut,
}: {
  readonly session: ConsoleSession;
  readonly onOpen: (session: ConsoleSession) => void;
  readonly onSignOut: () => void;
}) {
  const { lang } = useMessages();
  const address = useAddress();
  const environmentUuid = address.environment ?? session.environment_uuid;
  const [isOver, setOver] = useState(false);
  const [epoch, setEpoch] = useState(0);
  const client = useMemo(() => clientFor(session, address.environment, lang), [session, address.environment, lang]);

  // Addresses of the support team name the environment, so that they can be passed on.
  const needsEnvironment = session.role === 'SUPPORT' && address.environment === null;
  useEffect(() => {
    if (!needsEnvironment) return;
    const { path, query } = parseAddress(location.hash);
    navigate(hrefOf(path.join('/'), Object.fromEntries(query), session.environment_uuid), 'replace');
  }, [needsEnvironment, session.environment_uuid]);

  const handleSessionEnd = useCallback((problem: Problem) => {
    const ended =
      problem.kind === 'expired' || problem.kind === 'invalid-token' || problem.code === 'INVALID_CSRF_TOKEN';
    if (ended) setOver(true);
    return ended;
  }, []);

  const resume = (opened: ConsoleSession) => {
    onOpen(opened);
    setOver(false);
    setEpoch((before) => before + 1);
  };

  return (
    <SessionEndContext value={handleSessionEnd}>
      <EnvironmentLoader client={client} queryKey={`${environmentUuid} ${lang} ${epoch}`}>
        {(environment) => {
          const state: ConsoleState = {
            ...{ client, session, environmentUuid, epoch },
            role: session.role,
            environment: environment.data,
            reloadEnvironment: () => void environment.reload(),
          };
          return (
            <ConsoleContext value={state}>
              <Layout environment={environment} onSignOut={onSignOut}>
                {needsEnvironment ? null : <ViewRouter key={environmentUuid} />}
              </Layout>
              {isOver ? <SessionOver onOpen={resume} onSignOut={onSignOut} /> : null}
            </ConsoleContext>
          );
        }}
      </EnvironmentLoader>
    </SessionEndContext>
  );
}

/** Views do not wait for the environment: they show its name when it has come. */
function EnvironmentLoader({
  client,
  queryKey,
  children,
}: {
  readonly client: ConsoleState['client'];
  readonly queryKey: string;
  readonly children: (environment: Query<Environment>) => React.ReactNode;
}) {
  const query = useQuery(async () => (await getEnvironment({ client })).data, queryKey);
  const isCurrent = query.data !== null && queryKey.startsWith(query.data.environment_uuid);
  return children(isCurrent ? query : { ...query, data: null });
}

function Layout({
  environment,
  onSignOut,
  children,
}: {
  readonly environment: Query<Environment>;
  readonly onSignOut: () => void;
  readonly children: React.ReactNode;
}) {
  const messages = useConsoleMessages();
  const { client } = useConsole();
  const [open, setOpen] = useState(false);
  const { mutate, problem } = useMutation();
  const signOut = async () => {
    if (await mutate(() => endSession(client))) onSignOut();
  };
  return (
    <div className="console">
      <a
        className="skip"
        href="#content"
        onClick={(event) => {
          event.preventDefault(); // the fragment is the address of the view
          document.querySelector('h1')?.focus();
        }}
      >
        {messages.skip}
      </a>
      <Header isMenuOpen={open} onMenu={() => setOpen(!open)} onSignOut={() => void signOut()} />
      <div className="columns">
        <Navigation isOpen={open} onClose={() => setOpen(false)} />
        <main id="content">
          <ExpiryNotice />
          <LoadNotice query={environment} text={messages.environment.notLoaded} />
          {problem ? <ProblemNotice problem={problem} more={[messages.notSignedOut]} /> : null}
          {children}
        </main>
      </div>
    </div>
  );
}

/** A session that has ended already needs no end. */
async function endSession(client: ConsoleState['client']): Promise<void> {
  try {
    await endConsoleSession({ client });
  } catch (error) {
    if (problemOf(error).kind !== 'invalid-token') throw error;
  }
}

function ExpiryNotice() {
  const { over } = useConsoleMessages();
  const minutes = useMinutesLeft();
  return (
    <div role="status">
      {minutes !== null ? (
        <Notice tone="warning">
          <p>{over.soon(minutes)}</p>
        </Notice>
      ) : null}
    </div>
  );
}
