import { createReturnUrl, getUiSession, type UiSession } from '@docfetch/sdk';
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { ViewRouter } from '../views/view-router';
import { Action } from '../components/action';
import { Notice, ProblemNotice } from '../components/notice';
import { clientFor } from '../api/client';
import { type Problem, problemOf } from '../api/problem';
import { useMessages } from '../messages/use-messages';
import { Layout } from './layout';
import type { PageLink } from './page-link';
import { useSessionEnd } from './session-end-context';
import { NOTHING_DONE, type SessionOutcome, SessionContext, type SessionState } from './session';
import type { SessionStart } from './session-start';
import { endTabSession, keepInTab } from './tab-state';
import { useReportResult } from './use-report-result';
import { useSessionExpiry } from './use-session-expiry';

interface SessionLayoutProps {
  readonly token: string;
  readonly session: UiSession;
  readonly sessionStart: SessionStart;
  readonly page: PageLink | null;
  /** Receives a return URL that was signed shortly before the end of the session, to be used after it. */
  readonly storeReturnUrl: (url: string) => void;
}

/** The layout of a session: return link, expiry warning and views. */
export function SessionLayout({ token, session, sessionStart, page, storeReturnUrl }: SessionLayoutProps) {
  const { messages, lang } = useMessages();
  const handleSessionEnd = useSessionEnd();
  const client = clientFor(token, lang);
  const [outcome, setOutcome] = useState<SessionOutcome>(sessionStart.restored?.outcome ?? NOTHING_DONE);
  const [leaving, setLeaving] = useState(false);
  const [problem, setProblem] = useState<Problem | null>(null);
  const latest = useRef(outcome);
  latest.current = outcome;
  useEffect(() => keepInTab({ outcome }), [outcome]);

  const returnUrl = useCallback(
    async (result?: SessionOutcome['result']) => {
      const { action, connection, result: recorded } = latest.current;
      const body = { result: result ?? recorded, action, connection_uuid: connection };
      return (await createReturnUrl({ client, body })).data.url;
    },
    [client],
  );

  useReportResult(page, outcome, returnUrl);
  const minutesLeft = useSessionExpiry(session.expires_at, {
    beforeEnd: () => void (session.has_return_url && returnUrl().then(storeReturnUrl, () => undefined)),
    // The service decides: the clock of this device may be wrong.
    atEnd: () => void getUiSession({ client }).catch((error: unknown) => handleSessionEnd(problemOf(error))),
  });

  const state = useMemo<SessionState>(
    () => ({
      client,
      session,
      page,
      outcome,
      clientName: session.theme.name,
      isAllowed: (action) => session.allowed_actions.includes(action),
      recordSuccess: (action, connection, unfinished = false) =>
        setOutcome({ result: unfinished ? 'cancelled' : 'success', action, connection }),
      recordError: () =>
        setOutcome((before) => (before.result === 'success' ? before : { ...before, result: 'error' })),
      returnToClient: async (result) => {
        setProblem(null);
        setLeaving(true);
        try {
          const url = await returnUrl(result);
          if (page) return page.finish(url);
          endTabSession();
          location.assign(url);
        } catch (error) {
          setLeaving(false);
          const failure = problemOf(error);
          if (!handleSessionEnd(failure)) setProblem(failure);
        }
      },
    }),
    [client, session, page, outcome, returnUrl, handleSessionEnd],
  );

  const name = session.theme.name;
  return (
    <SessionContext value={state}>
      <Layout
        theme={session.theme}
        aside={
          session.has_return_url ? (
            <Action variant="quiet" busy={leaving} onPress={() => void state.returnToClient()}>
              {name ? messages.leave.to(name) : messages.leave.plain}
            </Action>
          ) : null
        }
      >
        {problem ? <ProblemNotice problem={problem} retry={() => void state.returnToClient()} /> : null}
        <div role="status" className="expiry">
          {minutesLeft !== null ? <Notice tone="warning">{messages.expiry.soon(minutesLeft)}</Notice> : null}
        </div>
        <OfflineNotice />
        <ViewRouter resumed={sessionStart.resumed} />
      </Layout>
    </SessionContext>
  );
}

/** Warns as soon as the browser is offline, not only when the next request fails. */
function OfflineNotice() {
  const { messages } = useMessages();
  const [offline, setOffline] = useState(!navigator.onLine);
  useEffect(() => {
    const update = () => setOffline(!navigator.onLine);
    addEventListener('online', update);
    addEventListener('offline', update);
    return () => {
      removeEventListener('online', update);
      removeEventListener('offline', update);
    };
  }, []);
  return <div role="status">{offline ? <Notice tone="warning">{messages.problem.offline}</Notice> : null}</div>;
}
