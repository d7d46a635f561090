import { addFiltered, NOTHING_FILTERED } from '../../../src/integrations/core/filter-reason';
import { buffer } from 'node:stream/consumers';
import { type OpenSession, openSession } from '../../../src/integrations/core/session/open-session';
import type { DocumentRef, Json, SourcePage } from '../../../src/integrations/core/source-document';
import { googleDrive } from '../../../src/integrations/google-drive/google-drive';
import { GuardedNetwork } from '../../../src/platform/network/guarded-network';
import type { DriveState } from '../../fakes/google-drive/drive-state';
import { FakeGoogleDrive } from '../../fakes/google-drive/fake-google-drive';

interface GoogleDriveInput {
  readonly folders?: string[];
  readonly known?: readonly string[];
}

/** Google Drive with an empty account for each test, and helpers that fetch from it. */
export class GoogleDrive {
  server!: FakeGoogleDrive;
  drive!: DriveState;
  readonly network = new GuardedNetwork({ allow: ['127.0.0.0/8'] });
  private readonly sessions: OpenSession[] = [];

  async start(): Promise<void> {
    this.server = await FakeGoogleDrive.start();
    this.drive = this.server.drive();
  }

  session({ folders, known = [] }: GoogleDriveInput = {}): OpenSession {
    const token = this.server.authorization.tokens().access_token;
    const opened = openSession({
      fields: { time_zone: 'UTC' },
      step2: { file_types: ['pdf', 'google_docs'], ...(folders && { folders }) },
      network: this.network,
      signal: new AbortController().signal,
      now: () => new Date(),
      findKnown: (keys) => Promise.resolve(new Set(keys.filter((key) => known.includes(key)))),
      apiBaseUrl: this.server.url,
      accessToken: () => Promise.resolve(token),
    });
    this.sessions.push(opened);
    return opened;
  }

  async listed(given: GoogleDriveInput = {}, cursor: Json = null, startdate: string | null = null) {
    const pages: SourcePage[] = [];
    let error: unknown;
    try {
      for await (const page of googleDrive.list(this.session(given), cursor, startdate)) pages.push(page);
    } catch (caught) {
      error = caught;
    }
    const documents = pages.flatMap((page) => page.documents);
    return {
      documents,
      error,
      // A new folder and its contents are two changes: repeated files have the same key and are absorbed.
      paths: [...new Map(documents.map((ref) => [ref.dedupeKey, ref.metadata.source?.path])).values()].sort(),
      keys: documents.map(({ dedupeKey }) => dedupeKey),
      filteredBy: addFiltered(...pages.map((page) => page.filteredBy ?? NOTHING_FILTERED)),
      cursor: pages.at(-1)?.cursor ?? cursor,
    };
  }

  async read(ref: DocumentRef): Promise<Buffer> {
    return buffer((await googleDrive.download(this.session(), ref)).stream);
  }

  async stop(): Promise<void> {
    for (const opened of this.sessions.splice(0)) await opened.close();
    await this.server.stop();
    expect(this.server.violations).toEqual([]);
  }
}

export function useGoogleDrive(): GoogleDrive {
  const account = new GoogleDrive();
  beforeEach(() => account.start());
  afterEach(() => account.stop());
  afterAll(() => account.network.close());
  return account;
}
