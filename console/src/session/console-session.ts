import type { ConsoleRole, ConsoleSession, Docfetch, Environment } from '@docfetch/sdk';
import { createContext, useContext } from 'react';

/** Who is signed in, and for which environment the views speak. */
export interface ConsoleState {
  readonly client: Docfetch;
  readonly role: ConsoleRole;
  readonly session: ConsoleSession;
  /** Null until it is loaded. */
  readonly environment: Environment | null;
  readonly environmentUuid: string;
  /** Grows when somebody has signed in again: data that could not be loaded before is loaded once more. */
  readonly epoch: number;
  readonly reloadEnvironment: () => void;
}

export const ConsoleContext = createContext<ConsoleState | null>(null);

export function useConsole(): ConsoleState {
  const state = useContext(ConsoleContext);
  if (!state) throw new Error('useConsole must be used within ConsoleContext.');
  return state;
}
