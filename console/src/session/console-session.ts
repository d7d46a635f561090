import type { ConsoleRole, ConsoleSession, Docfetch, Environment, ProvisioningStrategy } from '@docfetch/sdk';
import { createContext, useContext } from 'react';

/** The signed-in user, and the environment that the views show. */
export interface ConsoleState {
  readonly client: Docfetch;
  readonly role: ConsoleRole;
  readonly session: ConsoleSession;
  /** Null until it is loaded. */
  readonly environment: Environment | null;
  readonly environmentUuid: string;
  /** Increases with each new sign-in, so that data that could not be loaded before is loaded again. */
  readonly epoch: number;
  readonly reloadEnvironment: () => void;
}

export const ConsoleContext = createContext<ConsoleState | null>(null);

export function useConsole(): ConsoleState {
  const state = useContext(ConsoleContext);
  if (!state) throw new Error('useConsole must be used within ConsoleContext.');
  return state;
}

/** How documents reach the client: by a push until the environment is loaded. */
export const useStrategy = (): ProvisioningStrategy => useConsole().environment?.provisioning.strategy ?? 'PUSH';
