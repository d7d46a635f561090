import type { Session } from '../../src/integrations/core/integration';

/** A server with documents for the contract tests of a connector. */
export interface ConnectorTestServer {
  /** Step-1 input that logs in. */
  readonly fields: Readonly<Record<string, unknown>>;
  readonly step2: Readonly<Record<string, unknown>>;
  /** Step-1 input that the provider rejects, or for which `providerAccess` returns a rejected token. */
  readonly refused: Readonly<Record<string, unknown>>;
  /** For integrations with a configured API URL: the URL and the access token. */
  providerAccess?(
    isRefused: boolean,
  ): Pick<Session, 'apiBaseUrl' | 'accessToken'> & Partial<Pick<Session, 'portal' | 'inbox'>>;
  /** The number of documents; more than one page for connectors with pages. */
  readonly documents: number;
  /** Adds a document; returns the step-1 input from then on. */
  addDocument(): Readonly<Record<string, unknown>>;
  /** The number of open connections; absent without network, or when they are kept for all sessions. */
  openConnections?(): number;
  stop(): Promise<void>;
}

/** A test server of an integration with an HTTP API. */
export interface ApiTestServer extends ConnectorTestServer {
  providerAccess(isRefused: boolean): Pick<Session, 'apiBaseUrl' | 'accessToken'>;
  /**
   * Sets `beforeRequest`, which is called before each response to a request with a valid token or key. It returns the pause that
   * the provider requests, in seconds, if any.
   */
  beforeEachRequest(beforeRequest: () => number | undefined): void;
  /** Deletes a document. */
  removeDocument(): void;
  /** Expires all access tokens early; absent for providers with API keys. */
  expireTokens?(): void;
  /** Invalidates all cursors; absent for providers without cursors. */
  invalidateCursors?(): void;
}

/** A fake of a provider. */
interface Server {
  readonly url: string;
  readonly violations: readonly string[];
  stop(): Promise<void>;
}

/** Stops a fake and verifies its traffic against the provider's API description. */
async function stop(server: Server): Promise<void> {
  await server.stop();
  expect(server.violations).toEqual([]);
}

/** For providers with OAuth: every rejected access token is replaced by a new one. */
export function withOAuth(server: Server, issue: () => string, expireTokens: () => void) {
  let token = issue();
  const accessToken = (ended?: string) => Promise.resolve(ended === token ? (token = issue()) : token);
  return {
    fields: {},
    refused: { startdate: '2020-01-01' },
    providerAccess: (isRefused: boolean) => ({
      apiBaseUrl: server.url,
      accessToken: isRefused ? () => Promise.resolve('no token') : accessToken,
    }),
    expireTokens,
    stop: () => stop(server),
  };
}

/** For providers with an API key: the fields of the first step with a valid and with an invalid one. */
export function withCredentials(
  server: Server,
  fields: Readonly<Record<string, unknown>>,
  refused: Readonly<Record<string, unknown>>,
) {
  const accessToken = (): Promise<string> => Promise.reject(new Error('No authorization is available.'));
  return {
    fields,
    refused,
    providerAccess: () => ({ apiBaseUrl: server.url, accessToken }),
    stop: () => stop(server),
  };
}

/** The same with a single field. */
export const withApiKey = (server: Server, field: string, key: string, wrong: string) =>
  withCredentials(server, { [field]: key }, { [field]: wrong });
