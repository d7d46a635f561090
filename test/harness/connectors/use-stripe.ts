import type { OpenSession } from '../../../src/integrations/core/session/open-session';
import type { DocumentRef, Json, SourcePage } from '../../../src/integrations/core/source-document';
import { FakeStripe } from '../../fakes/stripe/fake-stripe';
import type { StripeState } from '../../fakes/stripe/stripe-state';
import { DeclaredSource } from './declared-source';

const NOW = new Date('2026-11-20T10:00:00Z');

/** Stripe with an empty account for each test, and helpers that fetch from it with the provider's file. */
export class Stripe extends DeclaredSource<FakeStripe> {
  shop!: StripeState;
  /** A key of the account with all permissions. */
  key!: string;

  async start(): Promise<void> {
    this.server = await FakeStripe.start();
    this.shop = this.server.account();
    this.key = this.shop.key();
  }

  session(given: { key?: string; zone?: string; kinds?: string[]; known?: readonly string[] } = {}): OpenSession {
    const { key = this.key, zone, kinds, known } = given;
    const step1 = { api_key: key, ...(zone && { time_zone: zone }) };
    return this.open({ step1, kinds, known, now: () => NOW });
  }

  async pagesOf(opened = this.session(), cursor: Json = null, startdate: string | null = null): Promise<SourcePage[]> {
    const pages: SourcePage[] = [];
    const stored = JSON.parse(JSON.stringify(cursor)) as Json;
    for await (const page of this.declared.integration.list(opened, stored, startdate)) pages.push(page);
    return pages;
  }
}

export function useStripe(): Stripe {
  const stripe = new Stripe('stripe');
  beforeEach(() => stripe.start());
  afterEach(() => stripe.stop());
  afterAll(() => stripe.network.close());
  return stripe;
}

export const idsOf = (pages: readonly SourcePage[]): string[] =>
  pages.flatMap(({ documents }) => documents.map(({ dedupeKey }) => dedupeKey));

export const documentsOf = (pages: readonly SourcePage[]): DocumentRef[] =>
  pages.flatMap(({ documents }) => [...documents]);
