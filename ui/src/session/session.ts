import type { Docfetch, ReturnAction, UiAction, UiSession } from '@docfetch/sdk';
import { createContext, useContext } from 'react';
import type { PageLink } from './page-link';

/** The result of the session, which the client receives in the return URL. */
export interface SessionOutcome {
  readonly result: 'success' | 'cancelled' | 'error';
  readonly action: ReturnAction;
  readonly connection: string | null;
}

export const NOTHING_DONE: SessionOutcome = { result: 'cancelled', action: 'none', connection: null };

export interface SessionState {
  readonly client: Docfetch;
  readonly session: UiSession;
  /** The page that has opened the hosted UI with `@docfetch/connect`. */
  readonly page: PageLink | null;
  readonly outcome: SessionOutcome;
  /** The name of the client's application, if its theme has one. */
  readonly clientName: string | null;
  readonly isAllowed: (action: UiAction) => boolean;
  /** `unfinished`: further setup steps follow; leaving now counts as cancelled. */
  readonly recordSuccess: (action: SessionOutcome['action'], connection: string, unfinished?: boolean) => void;
  /** An action failed: leaving now, without a success, counts as an error. */
  readonly recordError: () => void;
  /** Redirects the user to the signed return URL of the service, or passes it to the page that has opened the hosted UI. */
  readonly returnToClient: (result?: SessionOutcome['result']) => Promise<void>;
}

export const SessionContext = createContext<SessionState | null>(null);

export function useSession(): SessionState {
  const session = useContext(SessionContext);
  if (!session) throw new Error('useSession must be used within SessionContext.');
  return session;
}
