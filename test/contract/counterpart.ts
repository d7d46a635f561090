import type { Session } from '../../src/integrations/integration';

/** The other side of a connector: something real enough to talk to, with documents in it. */
export interface Counterpart {
  /** Step-1 input that logs in. */
  readonly fields: Readonly<Record<string, unknown>>;
  readonly step2: Readonly<Record<string, unknown>>;
  /** Step-1 input with which the provider refuses, or for which `provider` gives out what it refuses. */
  readonly refused: Readonly<Record<string, unknown>>;
  /** For those that are found by the deployment's settings: where it is, and how one is let in. */
  provider?(isRefused: boolean): Pick<Session, 'apiBaseUrl' | 'accessToken'>;
  /** How many documents there are. Enough for more than one page, where a connector has pages. */
  readonly documents: number;
  /** Brings one more document; answers step-1 input that differs from then on. */
  deliver(): Readonly<Record<string, unknown>>;
  /** Connections of ours that are open now; absent where there is no network, or where they are kept for all sessions. */
  connections?(): number;
  stop(): Promise<void>;
}
