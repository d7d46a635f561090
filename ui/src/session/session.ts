import type { Docfetch, ReturnAction, UiAction, UiSession } from '@docfetch/sdk';
import { createContext, useContext } from 'react';

/** What has been achieved in this visit, for the client to hear on return. */
export interface Outcome {
  readonly result: 'success' | 'cancelled' | 'error';
  readonly action: ReturnAction;
  readonly connection: string | null;
}

export const NOTHING_DONE: Outcome = { result: 'cancelled', action: 'none', connection: null };

export interface SessionState {
  readonly client: Docfetch;
  readonly session: UiSession;
  readonly outcome: Outcome;
  /** The name of the client's application, where its theme has one. */
  readonly clientName: string | null;
  readonly isAllowed: (action: UiAction) => boolean;
  /** `unfinished`: the setup goes on; who leaves now has broken it off. */
  readonly recordSuccess: (action: Outcome['action'], connection: string, unfinished?: boolean) => void;
  /** What the user came for did not work: who leaves now, with nothing achieved, has been kept from it by an error. */
  readonly recordError: () => void;
  /** Sends the user back, with the signed address of the service. Rejects when there is none to be had. */
  readonly returnToClient: (result?: Outcome['result']) => Promise<void>;
}

export const SessionContext = createContext<SessionState | null>(null);

export function useSession(): SessionState {
  const session = useContext(SessionContext);
  if (!session) throw new Error('There is no session here.');
  return session;
}
