import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type OpenSession, openSession } from '../../../src/integrations/core/open-session';
import type { DocumentRef, Json } from '../../../src/integrations/core/source-document';
import { validateFields } from '../../../src/integrations/core/validate-fields';
import { declareIntegration } from '../../../src/integrations/declarative/declare-integration';
import { GuardedNetwork } from '../../../src/platform/network/guarded-network';
import { FakeSevdesk } from '../../fakes/sevdesk/fake-sevdesk';
import type { SevdeskState } from '../../fakes/sevdesk/sevdesk-state';

const FILE = join(__dirname, '../../../src/integrations/providers/sevdesk.yaml');

/** The time of a session at the beginning of each test. */
export const SEVDESK_NOW = new Date('2026-11-20T10:00:00Z');

/** sevdesk with an empty account for each test, and helpers that fetch from it with the provider's file. */
export class Sevdesk {
  server!: FakeSevdesk;
  books!: SevdeskState;
  /** An API token of the account. */
  token!: string;
  now = SEVDESK_NOW;
  readonly network = new GuardedNetwork({ allow: ['127.0.0.0/8'] });
  private readonly declared = declareIntegration('sevdesk.yaml', readFileSync(FILE, 'utf8'));
  private readonly sessions: OpenSession[] = [];

  get manifestErrors() {
    return this.declared.manifestErrors;
  }

  async start(): Promise<void> {
    this.now = SEVDESK_NOW;
    this.server = await FakeSevdesk.start();
    this.books = this.server.account();
    this.token = this.books.token();
  }

  session(given: { token?: string; kinds?: string[]; known?: readonly string[] } = {}): OpenSession {
    const { values, invalidFields } = validateFields(this.declared.integration.step1, {
      api_token: given.token ?? this.token,
    });
    expect(invalidFields).toEqual([]);
    const opened = openSession({
      fields: values,
      step2: given.kinds ? { kinds: given.kinds } : {},
      network: this.network,
      signal: new AbortController().signal,
      now: () => this.now,
      apiBaseUrl: this.server.url,
      findKnown: (keys) => Promise.resolve(new Set(keys.filter((key) => given.known?.includes(key)))),
    });
    this.sessions.push(opened);
    return opened;
  }

  check(opened: OpenSession) {
    return this.declared.integration.check(opened);
  }

  async listed(opened = this.session(), cursor: Json = null, startdate: string | null = null) {
    const documents: DocumentRef[] = [];
    let last = cursor;
    for await (const page of this.declared.integration.list(opened, cursor, startdate)) {
      documents.push(...page.documents);
      last = page.cursor;
    }
    return { documents, cursor: last, ids: documents.map(({ externalId }) => externalId) };
  }

  download(opened: OpenSession, ref: DocumentRef) {
    return this.declared.integration.download(opened, ref);
  }

  async stop(): Promise<void> {
    for (const each of this.sessions.splice(0)) await each.close();
    await this.server.stop();
    expect(this.server.violations).toEqual([]);
  }
}

export function useSevdesk(): Sevdesk {
  const sevdesk = new Sevdesk();
  beforeEach(() => sevdesk.start());
  afterEach(() => sevdesk.stop());
  afterAll(() => sevdesk.network.close());
  return sevdesk;
}
