import type { Session } from '../../src/integrations/core/integration';

/** The other side of a connector: something real enough to talk to, with documents in it. */
export interface ConnectorTestServer {
  /** Step-1 input that logs in. */
  readonly fields: Readonly<Record<string, unknown>>;
  readonly step2: Readonly<Record<string, unknown>>;
  /** Step-1 input with which the provider refuses, or for which `provider` gives out what it refuses. */
  readonly refused: Readonly<Record<string, unknown>>;
  /** For those that are found by the deployment's settings: where it is, and how one is let in. */
  providerAccess?(isRefused: boolean): Pick<Session, 'apiBaseUrl' | 'accessToken'> & Partial<Pick<Session, 'portal'>>;
  /** How many documents there are. Enough for more than one page, where a connector has pages. */
  readonly documents: number;
  /** Brings one more document; answers step-1 input that differs from then on. */
  addDocument(): Readonly<Record<string, unknown>>;
  /** Connections of ours that are open now; absent where there is no network, or where they are kept for all sessions. */
  openConnections?(): number;
  stop(): Promise<void>;
}

/** What those can be made to do that are asked by an API of their own. */
export interface ApiTestServer extends ConnectorTestServer {
  providerAccess(isRefused: boolean): Pick<Session, 'apiBaseUrl' | 'accessToken'>;
  /**
   * From now on `look` is called before each request is answered that shows a good token or key. What it answers are the seconds
   * for which the provider wants to be left alone.
   */
  beforeEachRequest(look: () => number | undefined): void;
  /** Deletes one of the documents. */
  removeDocument(): void;
  /** All access tokens end before their time; absent where users give a key of theirs. */
  expireTokens?(): void;
  /** Every cursor that was given out is no longer known; absent where there is none. */
  invalidateCursors?(): void;
}

/** A fake of a provider. */
interface Server {
  readonly url: string;
  readonly violations: readonly string[];
  stop(): Promise<void>;
}

/** Ends a fake, and holds what was said against the provider's own description. */
async function stop(server: Server): Promise<void> {
  await server.stop();
  expect(server.violations).toEqual([]);
}

/** Of a provider whose users consent: every access token that is refused is followed by another one. */
export function withOAuth(server: Server, issue: () => string, expireTokens: () => void) {
  let token = issue();
  const accessToken = (ended?: string) => Promise.resolve(ended === token ? (token = issue()) : token);
  return {
    fields: {},
    refused: { time_zone: 'Europe/Berlin' },
    providerAccess: (isRefused: boolean) => ({
      apiBaseUrl: server.url,
      accessToken: isRefused ? () => Promise.resolve('no token') : accessToken,
    }),
    expireTokens,
    stop: () => stop(server),
  };
}

/** Of a provider that users give a key of: right and wrong. */
export function withApiKey(server: Server, field: string, key: string, wrong: string) {
  const accessToken = (): Promise<string> => Promise.reject(new Error('No authorization is available.'));
  return {
    fields: { [field]: key },
    refused: { [field]: wrong },
    providerAccess: () => ({ apiBaseUrl: server.url, accessToken }),
    stop: () => stop(server),
  };
}
