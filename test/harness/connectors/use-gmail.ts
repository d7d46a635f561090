import { addFiltered, NOTHING_FILTERED } from '../../../src/integrations/core/filter-reason';
import { buffer } from 'node:stream/consumers';
import { gmail } from '../../../src/integrations/gmail/gmail';
import type { GmailCursor } from '../../../src/integrations/gmail/list-documents';
import { type OpenSession, openSession } from '../../../src/integrations/core/session/open-session';
import type { DocumentRef, Json, SourcePage } from '../../../src/integrations/core/source-document';
import { GuardedNetwork } from '../../../src/platform/network/guarded-network';
import { FakeGmail } from '../../fakes/gmail/fake-gmail';

export interface GmailSessionInput {
  readonly labels?: string[];
  readonly step2?: Record<string, unknown>;
  readonly zone?: string;
  readonly accessToken?: OpenSession['accessToken'];
}

export const sortedFilenames = (documents: readonly DocumentRef[]) => documents.map(({ filename }) => filename).sort();

/** Gmail with an empty mailbox for each test, and helpers that fetch from it. */
export function useGmail() {
  let server: FakeGmail;
  const network = new GuardedNetwork({ allow: ['127.0.0.0/8'] });
  const sessions: OpenSession[] = [];

  beforeEach(async () => {
    server = await FakeGmail.start();
  });
  afterEach(async () => {
    for (const opened of sessions.splice(0)) await opened.close();
    await server.stop();
    expect(server.violations).toEqual([]);
  });
  afterAll(() => network.close());

  function session({ labels, step2 = {}, zone = 'UTC', accessToken }: GmailSessionInput = {}): OpenSession {
    const token = server.authorization.tokens().access_token;
    const opened = openSession({
      fields: { time_zone: zone },
      step2: { ...(labels && { labels }), ...step2 },
      network,
      signal: new AbortController().signal,
      now: () => new Date(),
      apiBaseUrl: server.url,
      accessToken: accessToken ?? (() => Promise.resolve(token)),
    });
    sessions.push(opened);
    return opened;
  }

  async function pagesOf(given: GmailSessionInput = {}, cursor: Json = null, startdate: string | null = null) {
    const pages: SourcePage[] = [];
    let error: unknown;
    try {
      for await (const page of gmail.list(session(given), cursor, startdate)) pages.push(page);
    } catch (caught) {
      error = caught;
    }
    const documents = pages.flatMap((page) => page.documents);
    const filteredBy = addFiltered(...pages.map((page) => page.filteredBy ?? NOTHING_FILTERED));
    return { pages, documents, filteredBy, error, cursor: (pages.at(-1)?.cursor ?? cursor) as GmailCursor };
  }

  const read = async (ref: DocumentRef, given: GmailSessionInput = {}) =>
    buffer((await gmail.download(session(given), ref)).stream);
  async function only(given: GmailSessionInput = {}): Promise<DocumentRef> {
    const { documents, error } = await pagesOf(given);
    expect([documents.length, error]).toEqual([1, undefined]);
    return documents[0]!;
  }
  const asked = (path: RegExp) => server.requests.filter((request) => path.test(request.path));

  return { at: () => ({ server, box: server.mailbox() }), session, pagesOf, read, only, asked };
}
