import { defineIntegration } from '../core/integration';
import { KINDS_FIELD } from '../shared/accounting/kinds';
import type { Json } from '../core/source-document';
import { accountOf } from './account';
import { type StripeSession, STEP1 } from './fields';
import { listDocuments } from './list-documents';
import { openDocument } from './open-document';

/** Stripe (API v1): the invoices and credit notes that a business issues with it, as PDF. */
export const stripe = defineIntegration({
  id: 'stripe',
  name: { en: 'Stripe', de: 'Stripe' },
  category: 'PORTAL',
  authType: 'CREDENTIALS',
  documentTypes: ['invoice', 'credit_note'],
  providesExternalId: true,
  step1: STEP1,
  worksWithoutStep2: true,
  // An account may send 25 requests per second in live mode; the owner's shop needs them, too.
  rateLimits: { concurrency: 4, requestsPerSecond: 10 },
  apiBaseUrl: 'https://api.stripe.com',

  check: (session: StripeSession) => accountOf(session),
  step2: () => Promise.resolve([KINDS_FIELD]),
  list: (session: StripeSession, cursor: Json, startdate: string | null) => listDocuments(session, cursor, startdate),
  download: (session: StripeSession, ref) => openDocument(session, ref),
});
