import type { OpenSession } from '../../../src/integrations/core/session/open-session';
import type { DocumentRef, Json } from '../../../src/integrations/core/source-document';
import { FakeSevdesk } from '../../fakes/sevdesk/fake-sevdesk';
import type { SevdeskState } from '../../fakes/sevdesk/sevdesk-state';
import { DeclaredSource } from './declared-source';

/** The time of a session at the beginning of each test. */
export const SEVDESK_NOW = new Date('2026-11-20T10:00:00Z');

/** sevdesk with an empty account for each test, and helpers that fetch from it with the provider's file. */
export class Sevdesk extends DeclaredSource<FakeSevdesk> {
  books!: SevdeskState;
  /** An API token of the account. */
  token!: string;
  now = SEVDESK_NOW;

  async start(): Promise<void> {
    this.now = SEVDESK_NOW;
    this.server = await FakeSevdesk.start();
    this.books = this.server.account();
    this.token = this.books.token();
  }

  session(given: { token?: string; kinds?: string[]; known?: readonly string[] } = {}): OpenSession {
    const { token = this.token, kinds, known } = given;
    return this.open({ step1: { api_token: token }, kinds, known, now: () => this.now });
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
}

export function useSevdesk(): Sevdesk {
  const sevdesk = new Sevdesk('sevdesk');
  beforeEach(() => sevdesk.start());
  afterEach(() => sevdesk.stop());
  afterAll(() => sevdesk.network.close());
  return sevdesk;
}
