import { createReturnUrl, getUiSession, type UiSession } from '@docfetch/sdk';
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { Views } from '../views/views';
import { Action } from '../parts/action';
import { Notice, ProblemNotice } from '../parts/notice';
import { clientFor } from '../api/client';
import { type Problem, problemOf } from '../api/problem';
import { useWords } from '../words/use-words';
import { Frame } from './frame';
import { useEnded } from './ended';
import { NOTHING_DONE, type Outcome, SessionContext, type SessionState } from './session';
import type { Arrival } from './token';
import { useExpiry } from './use-expiry';

interface SessionFrameProps {
  readonly token: string;
  readonly session: UiSession;
  readonly arrival: Arrival;
  /** An address that was signed in time, for when the session has ended. */
  readonly keepReturnUrl: (url: string) => void;
}

/** Everything that needs a session: the way back, its end in time, and the views. */
export function SessionFrame({ token, session, arrival, keepReturnUrl }: SessionFrameProps) {
  const { words, lang } = useWords();
  const ended = useEnded();
  const client = clientFor(token, lang);
  const [outcome, setOutcome] = useState<Outcome>(NOTHING_DONE);
  const [leaving, setLeaving] = useState(false);
  const [problem, setProblem] = useState<Problem | null>(null);
  const latest = useRef(outcome);
  latest.current = outcome;

  const returnUrl = useCallback(
    async (result?: Outcome['result']) => {
      const { action, connection, result: achieved } = latest.current;
      const body = { result: result ?? achieved, action, connection_uuid: connection };
      return (await createReturnUrl({ client, body })).data.url;
    },
    [client],
  );

  const minutesLeft = useExpiry(session.expires_at, {
    beforeEnd: () => void (session.has_return_url && returnUrl().then(keepReturnUrl, () => undefined)),
    // The service has the last word: the clock of this device may be wrong.
    atEnd: () => void getUiSession({ client }).catch((error: unknown) => ended(problemOf(error))),
  });

  const state = useMemo<SessionState>(
    () => ({
      client,
      session,
      outcome,
      clientName: session.theme.name,
      may: (action) => session.allowed_actions.includes(action),
      achieved: (action, connection, unfinished = false) =>
        setOutcome({ result: unfinished ? 'cancelled' : 'success', action, connection }),
      failed: () => setOutcome((before) => (before.result === 'success' ? before : { ...before, result: 'error' })),
      leave: async (result) => {
        setProblem(null);
        setLeaving(true);
        try {
          location.assign(await returnUrl(result));
        } catch (error) {
          setLeaving(false);
          const found = problemOf(error);
          if (!ended(found)) setProblem(found);
        }
      },
    }),
    [client, session, outcome, returnUrl, ended],
  );

  const name = session.theme.name;
  return (
    <SessionContext value={state}>
      <Frame
        theme={session.theme}
        aside={
          session.has_return_url ? (
            <Action weight="quiet" busy={leaving} onPress={() => void state.leave()}>
              {name ? words.leave.to(name) : words.leave.plain}
            </Action>
          ) : null
        }
      >
        {problem ? <ProblemNotice problem={problem} retry={() => void state.leave()} /> : null}
        <div role="status" className="expiry">
          {minutesLeft !== null ? <Notice tone="warning">{words.expiry.soon(minutesLeft)}</Notice> : null}
        </div>
        <Offline />
        <Views authorized={arrival.authorized} />
      </Frame>
    </SessionContext>
  );
}

/** Says at once when the network is gone, not only at the next attempt to save. */
function Offline() {
  const { words } = useWords();
  const [offline, setOffline] = useState(!navigator.onLine);
  useEffect(() => {
    const look = () => setOffline(!navigator.onLine);
    addEventListener('online', look);
    addEventListener('offline', look);
    return () => {
      removeEventListener('online', look);
      removeEventListener('offline', look);
    };
  }, []);
  return <div role="status">{offline ? <Notice tone="warning">{words.problem.offline}</Notice> : null}</div>;
}
