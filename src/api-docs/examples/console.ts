import { SAMPLE_IDS } from '../sample-ids';
import type { OperationExamples } from './named-example';

/** Examples of the operations of the console. */
const redeliveryRequests: OperationExamples['request'] = {
  failed: { summary: 'All that has failed', value: { status: 'FAILED' } },
  invoices: {
    summary: 'The invoices of a day',
    value: {
      status: 'DELIVERED',
      document_type: 'invoice',
      created_from: '2026-11-20T00:00:00Z',
      created_to: '2026-11-21T00:00:00Z',
    },
  },
  chosen: {
    summary: 'One chosen document',
    value: { transaction_uuids: [SAMPLE_IDS.transaction] },
  },
};

export const CONSOLE_EXAMPLES: Readonly<Record<string, OperationExamples>> = {
  previewRedelivery: { request: redeliveryRequests },
  requestRedelivery: { request: redeliveryRequests },
  openConsoleSession: {
    request: {
      link: {
        summary: 'With a link of the support team',
        value: { link: 'u1Z9x0T3m2b5nJc0Tt6h5wXkqWmGZgQ8pLr4sVd7yAE' },
      },
      key: {
        summary: 'With an API key',
        value: { api_key: 'df_test_u1Z9x0T3m2b5nJc0Tt6h5wXkqWmGZgQ8pLr4sVd7yAE' },
      },
    },
  },
};
