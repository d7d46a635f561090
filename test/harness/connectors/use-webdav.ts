import { buffer } from 'node:stream/consumers';
import { type OpenSession, openSession } from '../../../src/integrations/core/session/open-session';
import type { DocumentRef, Json } from '../../../src/integrations/core/source-document';
import { validateFields } from '../../../src/integrations/core/validate-fields';
import { webdav } from '../../../src/integrations/webdav/webdav';
import { GuardedNetwork } from '../../../src/platform/network/guarded-network';
import { type FakeDavOptions, FakeDavServer } from '../../fakes/webdav/fake-dav-server';

/** A WebDAV server for each test, and helpers that fetch from it. */
export class Webdav {
  /** The server that sessions are opened to. */
  server!: FakeDavServer;
  readonly network = new GuardedNetwork({ allow: ['127.0.0.0/8', '::1/128'] });
  private readonly servers: FakeDavServer[] = [];
  private readonly sessions: OpenSession[] = [];

  async start(options: FakeDavOptions = {}): Promise<FakeDavServer> {
    const started = await FakeDavServer.start(options);
    this.servers.push(started);
    return started;
  }

  session(
    { layout, ...given }: { layout?: 'nextcloud' } & Record<string, unknown> = {},
    {
      step2 = {},
      known = [],
      through = this.network,
    }: { step2?: object; known?: string[]; through?: GuardedNetwork } = {},
  ): OpenSession {
    const url = this.server.origin + encodeURI(this.server.base);
    const { values, invalidFields } = validateFields(webdav.step1, { url, user: 'anna', password: 'right', ...given });
    expect(invalidFields).toEqual([]);
    const opened = openSession({
      fields: { ...values, layout },
      step2: step2 as never,
      network: through,
      signal: new AbortController().signal,
      now: () => new Date(),
      findKnown: (keys) => Promise.resolve(new Set(keys.filter((key) => known.includes(key)))),
    });
    this.sessions.push(opened);
    return opened;
  }

  async listed(opened = this.session(), cursor: Json = null): Promise<{ documents: DocumentRef[]; cursor: Json }> {
    const documents: DocumentRef[] = [];
    for await (const page of webdav.list(opened, cursor, null)) {
      documents.push(...page.documents);
      cursor = page.cursor;
    }
    return { documents, cursor };
  }

  async read(opened: OpenSession, ref: DocumentRef): Promise<Buffer> {
    return buffer((await webdav.download(opened, ref)).stream);
  }

  async close(): Promise<void> {
    for (const each of this.sessions.splice(0)) await each.close();
    for (const each of this.servers.splice(0)) await each.stop();
  }
}

export function useWebdav(options: FakeDavOptions = {}): Webdav {
  const dav = new Webdav();
  beforeEach(async () => {
    dav.server = await dav.start(options);
  });
  afterEach(() => dav.close());
  afterAll(() => dav.network.close());
  return dav;
}

export const paths = (documents: readonly DocumentRef[]): string[] =>
  documents.map(({ metadata }) => metadata.source!.path!).sort();
