import { box } from '../../../src/integrations/box/box';
import type { BoxState } from '../../fakes/box/box-state';
import { FakeBox } from '../../fakes/box/fake-box';
import { OAuthSessions } from './oauth-sessions';

/** Box with an empty account for each test, and helpers that fetch from it. */
export class Box {
  server!: FakeBox;
  files!: BoxState;
  private sessions!: OAuthSessions;

  async start(): Promise<void> {
    this.server = await FakeBox.start();
    this.files = this.server.files();
    this.sessions = new OAuthSessions(box, this.server);
  }

  session: OAuthSessions['open'] = (...given) => this.sessions.open(...given);

  fetched: OAuthSessions['fetched'] = (...given) => this.sessions.fetched(...given);

  async stop(): Promise<void> {
    await this.sessions.close();
    await this.server.stop();
    expect(this.server.violations).toEqual([]);
  }
}

export function useBox(): Box {
  const account = new Box();
  beforeEach(() => account.start());
  afterEach(() => account.stop());
  return account;
}
