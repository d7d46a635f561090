import { buffer } from 'node:stream/consumers';
import { type OpenSession, openSession } from '../../../src/integrations/core/session/open-session';
import type { DocumentRef } from '../../../src/integrations/core/source-document';
import { validateFields } from '../../../src/integrations/core/validate-fields';
import { ftp } from '../../../src/integrations/ftp/ftp';
import { STABILITY_CHECK } from '../../../src/integrations/shared/tree-sync/new-file-pages';
import { GuardedNetwork } from '../../../src/platform/network/guarded-network';
import { FakeFtpServer, type FakeFtpOptions } from '../../fakes/ftp/fake-ftp-server';

/** Sessions with an FTP server that each test starts. */
export class Ftp {
  server!: FakeFtpServer;
  readonly network = new GuardedNetwork({ allow: ['127.0.0.0/8', '::1/128'] });
  private readonly sessions: OpenSession[] = [];

  async start(options: FakeFtpOptions = {}): Promise<void> {
    this.server = await FakeFtpServer.start(options);
  }

  session(given: Record<string, unknown> = {}, through = this.network): OpenSession {
    const { port } = this.server;
    const input = { host: 'localhost', port, security: 'NONE', user: 'anna', password: 'right', ...given };
    const { values, invalidFields } = validateFields(ftp.step1, input);
    expect(invalidFields).toEqual([]);
    const { signal } = new AbortController();
    const opened = openSession({ fields: values, step2: {}, network: through, signal, now: () => new Date() });
    this.sessions.push(opened);
    return opened;
  }

  /** `documents` receives what is listed, also before an error. */
  async listed(
    opened: OpenSession,
    startdate: string | null = null,
    documents: DocumentRef[] = [],
  ): Promise<DocumentRef[]> {
    for await (const page of ftp.list(opened, null, startdate)) documents.push(...page.documents);
    return documents;
  }

  async read(opened: OpenSession, ref: DocumentRef): Promise<Buffer> {
    return buffer((await ftp.download(opened, ref)).stream);
  }

  async stop(): Promise<void> {
    for (const each of this.sessions.splice(0)) await each.close();
    await this.server.stop();
  }
}

/** Files count as complete when they have not changed for a shorter time than in production. */
export function useFtp(): Ftp {
  const source = new Ftp();
  const { pauseMs } = STABILITY_CHECK;
  beforeAll(() => {
    STABILITY_CHECK.pauseMs = 50;
  });
  afterEach(() => source.stop());
  afterAll(async () => {
    STABILITY_CHECK.pauseMs = pauseMs;
    await source.network.close();
  });
  return source;
}
