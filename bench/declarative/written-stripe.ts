import { Readable } from 'node:stream';
import { defineIntegration, type Session } from '../../src/integrations/core/integration';
import type { DocumentRef, SourceDocument } from '../../src/integrations/core/source-document';
import { DocumentUnavailable, Transient } from '../../src/integrations/core/source-errors';
import { decimal, definedMembers, text } from '../../src/integrations/shared/accounting/metadata-values';
import { SourceHttpClient } from '../../src/integrations/shared/http/source-http-client';
import { RestClient } from '../../src/integrations/shared/rest/rest-client';

// The baseline: the least that a connector in code for the same provider does, with the same clients and the same requests.

interface Invoice {
  readonly id: string;
  readonly number: string | null;
  readonly created: number;
  readonly currency: string;
  readonly total: number;
  readonly account_name: string | null;
  readonly customer_name: string | null;
  readonly invoice_pdf: string | null;
}

const PAGE = 100;
const HALF = 2;

const clientOf = (session: Session): RestClient =>
  new RestClient(session, {
    provider: 'Stripe',
    authorization: `Bearer ${String(session.fields['api_key'])}`,
    headers: { 'stripe-version': '2025-03-31.basil' },
    classify: ({ status }) => new Transient(`Stripe answers ${status}.`),
  });

function reference(invoice: Invoice): DocumentRef {
  const { id, number, created, currency, total } = invoice;
  return {
    dedupeKey: id,
    externalId: id,
    filename: `${number ?? id}.pdf`,
    documentType: 'invoice',
    metadata: {
      ...definedMembers({
        number: text(number),
        date: new Date(created * 1000).toISOString().slice(0, 10),
        currency: currency.toUpperCase(),
        amount: decimal((total / 100).toFixed(2)),
        supplier: definedMembers({ name: text(invoice.account_name) }),
        customer: definedMembers({ name: text(invoice.customer_name) }),
      }),
      source: { kind: 'portal' },
    },
    locator: id,
  };
}

/** Lists in ascending order by halving time spans, as the provider lists the newest first. */
async function* list(session: Session) {
  const client = clientOf(session);
  const spans: { from: number; before?: number }[] = [{ from: Date.UTC(2000, 0, 1) / 1000 }];
  for (let span = spans.pop(); span; span = spans.pop()) {
    const page = await client.json<{ data: Invoice[]; has_more: boolean }>('/v1/invoices', {
      limit: PAGE,
      'created[gte]': span.from,
      'created[lt]': span.before,
    });
    const end: number = span.before ?? (page.data[0]?.created ?? span.from) + 1;
    if (page.has_more) {
      const middle = Math.floor((span.from + end) / HALF);
      spans.push({ ...span, from: middle }, { from: span.from, before: middle });
      continue;
    }
    const documents = page.data.filter(({ invoice_pdf }) => invoice_pdf !== null).map(reference);
    await session.findKnown(documents.map(({ dedupeKey }) => dedupeKey));
    if (documents.length > 0) yield { documents, cursor: end };
  }
}

async function download(session: Session, { locator, filename }: DocumentRef): Promise<SourceDocument> {
  const invoice = await clientOf(session).json<Invoice>(`/v1/invoices/${locator as string}`);
  const { origin, pathname, search } = new URL(invoice.invoice_pdf!);
  const http = new SourceHttpClient(session.network, session.signal, 'Stripe');
  const response = await http.send({ origin, path: pathname + search }, { method: 'GET' });
  if (response.status !== 200) throw new DocumentUnavailable(`Stripe answers ${response.status}.`, false);
  return {
    stream: Readable.from(http.bytes(response), { objectMode: false }),
    filename,
    mimeType: 'application/pdf',
    size: Number(response.headers['content-length']),
  };
}

export const writtenStripe = defineIntegration({
  id: 'written_stripe',
  name: { en: 'Stripe', de: 'Stripe' },
  category: 'PORTAL',
  authType: 'CREDENTIALS',
  documentTypes: ['invoice'],
  providesExternalId: true,
  step1: [],
  rateLimits: { concurrency: 4, requestsPerSecond: 10 },
  check: () => Promise.resolve({ id: 'bench', display: 'bench' }),
  list: (session: Session) => list(session),
  download: (session: Session, ref) => download(session, ref),
});
