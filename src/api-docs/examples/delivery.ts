import { SAMPLE_IDS } from '../sample-ids';
import type { OperationExamples } from './named-example';

const WEBHOOK_URL = 'https://client.example.com/docfetch/events';

const pushed = { strategy: 'PUSH', status: 'DELIVERED', attempts: 1, next_attempt_at: null, last_error: null };
/** Examples of the operations that fetch, deliver and acknowledge documents. */
export const DELIVERY_EXAMPLES: Readonly<Record<string, OperationExamples>> = {
  getFetch: {
    responses: {
      200: {
        succeeded: {
          summary: 'Succeeded',
          changes: {
            data: {
              counts: { seen: 11, new: 3, duplicate: 7, filtered: 1, failed: 0 },
              filtered_by: { TYPE: 1 },
              error: null,
              failures: [],
            },
          },
        },
        partial: {
          summary: 'One document could not be read',
          changes: { data: { status: 'PARTIAL', error: null } },
        },
        failed: {
          summary: 'The provider was down',
          changes: {
            data: {
              status: 'FAILED',
              counts: { seen: 0, new: 0, duplicate: 0, filtered: 0, failed: 0 },
              filtered_by: {},
              failures: [],
            },
          },
        },
        running: {
          summary: 'Still running',
          changes: {
            data: {
              trigger: 'MANUAL',
              status: 'RUNNING',
              error: null,
              failures: [],
              finished_at: null,
              counts: { seen: 2, new: 2, duplicate: 0, filtered: 0, failed: 0 },
              filtered_by: {},
            },
          },
        },
      },
    },
  },
  getTransaction: {
    responses: {
      200: {
        pushed: { summary: 'Pushed, and answered with 200', changes: { data: { provisioning: pushed } } },
        waiting: {
          summary: 'Rejected twice, to be pushed again',
          changes: {
            data: {
              provisioning: {
                status: 'PENDING',
                attempts: 2,
                last_error: {
                  code: 'UNEXPECTED_STATUS',
                  status: 503,
                  message: 'The endpoint answered 503 instead of 200.',
                },
              },
            },
          },
        },
        to_pull: {
          summary: 'To be pulled: announced by webhook or polled',
          changes: {
            data: {
              provisioning: {
                strategy: 'POLLING',
                status: 'AVAILABLE',
                attempts: 0,
                last_attempt_at: null,
                next_attempt_at: null,
                last_error: null,
              },
            },
          },
        },
      },
    },
  },
  getValidation: {
    responses: {
      200: {
        failed: { summary: 'A total is wrong', changes: { data: { valid: false } } },
        valid: { summary: 'Valid', changes: { data: { valid: true, errors: 0, findings: [] } } },
      },
    },
  },
  acknowledgeTransaction: {
    request: {
      accepted: { summary: 'Received and kept', value: { result: 'ACCEPTED' } },
      rejected: {
        summary: 'Rejected',
        value: { result: 'REJECTED', message: 'The supplier is not known to us.' },
      },
    },
  },
  acknowledgeTransactions: {
    request: {
      accepted: {
        summary: 'Several at once',
        value: { result: 'ACCEPTED', transaction_uuids: [SAMPLE_IDS.transaction] },
      },
    },
  },
  redeliverTransactions: {
    request: {
      failed: { summary: 'Everything that failed', value: { status: 'FAILED' } },
      period: {
        summary: 'One connection, one day',
        value: {
          status: 'DELIVERED',
          connection_uuid: SAMPLE_IDS.connection,
          created_from: '2026-11-20T00:00:00Z',
          created_to: '2026-11-21T00:00:00Z',
        },
      },
    },
  },
  createWebhook: {
    request: {
      documents: { summary: 'New documents', value: { url: WEBHOOK_URL, events: ['document.available'] } },
      all: {
        summary: 'Documents, connections and failed deliveries',
        value: { url: WEBHOOK_URL, events: ['document.available', 'connection.status_changed', 'delivery.failed'] },
      },
    },
  },
  registerConnectionWebhook: {
    request: { documents: { summary: 'New documents', value: { url: WEBHOOK_URL, events: ['document.available'] } } },
  },
  updateWebhook: {
    request: {
      disable: { summary: 'Disable it', value: { enabled: false } },
      rotate: { summary: 'A new secret', value: { rotate_secret: true } },
    },
  },
  setSandboxScenario: {
    request: {
      broken: { summary: 'The password is rejected', value: { scenario: 'password_changed' } },
      works: { summary: 'Everything works again', value: { scenario: 'normal' } },
    },
  },
  placeSandboxDocuments: {
    request: {
      pdf: { summary: 'Three PDFs', value: { count: 3, format: 'PDF', external_id: true } },
      e_invoice: {
        summary: 'An XRechnung',
        value: { count: 1, document_type: 'invoice', format: 'XML', external_id: false },
      },
    },
  },
};
