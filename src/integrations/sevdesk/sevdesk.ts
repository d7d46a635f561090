import { defineIntegration } from '../core/integration';
import { KINDS_FIELD } from '../shared/accounting/kinds';
import type { Json } from '../core/source-document';
import { type SevdeskSession, STEP1 } from './fields';
import { listDocuments } from './list-documents';
import { openDocument } from './open-document';
import { SevdeskApi } from './sevdesk-api';

/** sevdesk (API v1): invoices, cancellations and credit notes that have been issued, as PDF. */
export const sevdesk = defineIntegration({
  id: 'sevdesk',
  name: { en: 'sevdesk', de: 'sevdesk' },
  category: 'ACCOUNTING',
  authType: 'CREDENTIALS',
  documentTypes: ['invoice', 'credit_note'],
  providesExternalId: true,
  step1: STEP1,
  worksWithoutStep2: true,
  // The limits are not published, and each PDF is rendered on request.
  rateLimits: { concurrency: 2, requestsPerSecond: 4 },
  apiBaseUrl: 'https://my.sevdesk.de/api/v1',

  async check(session: SevdeskSession) {
    const id = await new SevdeskApi(session).account();
    return { id, display: `sevdesk ${id}` };
  },

  step2: () => Promise.resolve([KINDS_FIELD]),

  list: (session: SevdeskSession, cursor: Json, startdate: string | null) => listDocuments(session, cursor, startdate),
  download: (session: SevdeskSession, ref) => openDocument(session, ref),
});
