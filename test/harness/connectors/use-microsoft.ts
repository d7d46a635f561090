import type { Integration } from '../../../src/integrations/core/integration';
import { FakeMicrosoftGraph } from '../../fakes/microsoft-graph/fake-microsoft-graph';
import { type SourceSessionInput, SourceSessions } from './source-session';

export interface MicrosoftAccount {
  readonly sources: SourceSessions;
  /** The access token of its sessions. */
  token: string;
}

/** A new fake Microsoft Graph for each test, which is passed to `started`, and sessions of one connector with it. */
export function useMicrosoft(
  integration: Integration,
  started: (server: FakeMicrosoftGraph) => void,
  standard: SourceSessionInput = {},
): MicrosoftAccount {
  let server: FakeMicrosoftGraph;
  const account: MicrosoftAccount = {
    sources: new SourceSessions(integration, () => ({
      ...standard,
      apiBaseUrl: server.url,
      accessToken: () => Promise.resolve(account.token),
    })),
    token: '',
  };
  beforeEach(async () => {
    server = await FakeMicrosoftGraph.start();
    account.token = server.entra.accessToken();
    started(server);
  });
  afterEach(async () => {
    await account.sources.close();
    await server.stop();
    expect(server.violations).toEqual([]);
  });
  afterAll(() => account.sources.network.close());
  return account;
}
