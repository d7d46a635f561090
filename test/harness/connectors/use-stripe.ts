import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type OpenSession, openSession } from '../../../src/integrations/core/open-session';
import type { DocumentRef, Json, SourcePage } from '../../../src/integrations/core/source-document';
import { validateFields } from '../../../src/integrations/core/validate-fields';
import { declareIntegration } from '../../../src/integrations/declarative/declare-integration';
import { GuardedNetwork } from '../../../src/platform/network/guarded-network';
import { FakeStripe } from '../../fakes/stripe/fake-stripe';
import type { StripeState } from '../../fakes/stripe/stripe-state';

const FILE = join(__dirname, '../../../src/integrations/providers/stripe.yaml');
const NOW = new Date('2026-11-20T10:00:00Z');

/** Stripe with an empty account for each test, and helpers that fetch from it with the provider's file. */
export class Stripe {
  server!: FakeStripe;
  shop!: StripeState;
  /** A key of the account with all permissions. */
  key!: string;
  readonly network = new GuardedNetwork({ allow: ['127.0.0.0/8'] });
  private readonly declared = declareIntegration('stripe.yaml', readFileSync(FILE, 'utf8'));
  private readonly sessions: OpenSession[] = [];

  get manifestErrors() {
    return this.declared.manifestErrors;
  }

  async start(): Promise<void> {
    this.server = await FakeStripe.start();
    this.shop = this.server.account();
    this.key = this.shop.key();
  }

  session(given: { key?: string; zone?: string; kinds?: string[]; known?: readonly string[] } = {}): OpenSession {
    const input = { api_key: given.key ?? this.key, ...(given.zone && { time_zone: given.zone }) };
    const { values, invalidFields } = validateFields(this.declared.integration.step1, input);
    expect(invalidFields).toEqual([]);
    const opened = openSession({
      fields: values,
      step2: given.kinds ? { kinds: given.kinds } : {},
      network: this.network,
      signal: new AbortController().signal,
      now: () => NOW,
      apiBaseUrl: this.server.url,
      findKnown: (keys) => Promise.resolve(new Set(keys.filter((each) => given.known?.includes(each)))),
    });
    this.sessions.push(opened);
    return opened;
  }

  check(opened: OpenSession) {
    return this.declared.integration.check(opened);
  }

  async pagesOf(opened = this.session(), cursor: Json = null, startdate: string | null = null): Promise<SourcePage[]> {
    const pages: SourcePage[] = [];
    const stored = JSON.parse(JSON.stringify(cursor)) as Json;
    for await (const page of this.declared.integration.list(opened, stored, startdate)) pages.push(page);
    return pages;
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

export function useStripe(): Stripe {
  const stripe = new Stripe();
  beforeEach(() => stripe.start());
  afterEach(() => stripe.stop());
  afterAll(() => stripe.network.close());
  return stripe;
}

export const idsOf = (pages: readonly SourcePage[]): string[] =>
  pages.flatMap(({ documents }) => documents.map(({ dedupeKey }) => dedupeKey));

export const documentsOf = (pages: readonly SourcePage[]): DocumentRef[] =>
  pages.flatMap(({ documents }) => [...documents]);
