import { SAMPLE_IDS } from '../sample-ids';
import type { OperationExamples } from './named-example';

const identity_uuid = SAMPLE_IDS.identity;
const SINCE = '2026-11-20T08:30:00.000Z';

const SANDBOX = {
  integration_id: 'sandbox',
  name: 'Portal',
  identity_uuid,
  fields: { user: 'demo', password: 'secret' },
};
const MAILBOX = {
  integration_id: 'imap',
  name: 'Invoices mailbox',
  identity_uuid,
  fields: {
    host: 'imap.example.com',
    port: 993,
    security: 'TLS',
    user: 'info@example.com',
    password: 'secret',
  },
};

const awaitingStep2 = {
  status: 'PENDING',
  health: 'UNKNOWN',
  reason: {
    code: 'SETUP_INCOMPLETE',
    message: 'The setup has not been completed yet.',
    since: SINCE,
    action: 'COMPLETE_SETUP',
  },
  setup_complete: false,
  last_fetch: null,
  last_success_at: null,
  next_fetch_at: null,
  authorization_url: null,
};
const awaitingConsent = {
  integration_id: 'google_drive',
  fields: {},
  account: null,
  reason: {
    code: 'AUTHORIZATION_PENDING',
    message: 'Access has not been allowed at the provider yet.',
    since: SINCE,
    action: 'AUTHORIZE',
  },
  setup_complete: false,
  last_fetch: null,
  last_success_at: null,
  next_fetch_at: null,
  step2_fields: null,
};
const complete = { reason: null, step2_fields: null, authorization_url: null };

/** Examples of the operations that create, set up and show connections. */
export const CONNECTION_EXAMPLES: Readonly<Record<string, OperationExamples>> = {
  createConnection: {
    request: {
      sandbox: { summary: 'The sandbox (test environments)', value: SANDBOX },
      mailbox: { summary: 'A mailbox', value: MAILBOX },
      oauth: {
        summary: 'With OAuth: the user authorizes next',
        value: { integration_id: 'google_drive', name: 'Google Drive', identity_uuid, fields: {} },
      },
    },
    responses: {
      201: {
        complete: { summary: 'Ready: no second step', changes: { data: complete } },
        step2: { summary: 'The second step follows', changes: { data: awaitingStep2 } },
        oauth: {
          summary: 'The user has to authorize',
          changes: { data: { ...awaitingConsent, status: 'PENDING', health: 'UNKNOWN' } },
        },
      },
    },
  },
  migrateConnection: {
    request: {
      sandbox: { summary: 'The sandbox (test environments)', value: SANDBOX },
      mailbox: { summary: 'A mailbox', value: MAILBOX },
    },
    responses: {
      201: {
        credentials: { summary: 'Stored; the first fetch checks the credentials', changes: { data: complete } },
        oauth: {
          summary: 'With OAuth: the user has to authorize',
          changes: { data: { ...awaitingConsent, status: 'INVALID_CREDENTIALS', health: 'ACTION_REQUIRED' } },
        },
      },
    },
  },
  updateConnection: {
    request: {
      credentials: { summary: 'A new password', value: { fields: { password: 'secret' } } },
      rename: { summary: 'Another name', value: { name: 'Portal of the branch' } },
    },
  },
  saveStep2: {
    request: {
      defaults: { summary: 'The defaults', value: { fields: {} } },
      folders: {
        summary: 'Chosen folders, end of the setup',
        value: { fields: { folders: ['inbox'] }, isUpdateFlow: false },
      },
      update: { summary: 'A later change', value: { fields: { folders: ['inbox'] }, isUpdateFlow: true } },
    },
  },
  loadMoreOptions: {
    request: {
      children: { summary: 'The folders below one', value: { parent_id: 'inbox' } },
      first: { summary: 'The first level', value: {} },
    },
  },
  getConnection: {
    responses: {
      200: {
        active: { summary: 'Works', changes: { data: { reason: null } } },
        invalid: {
          summary: 'The provider rejected the credentials',
          changes: {
            data: {
              status: 'INVALID_CREDENTIALS',
              health: 'ACTION_REQUIRED',
              reason: { code: 'LOGIN_REJECTED', action: 'UPDATE_CREDENTIALS' },
              next_fetch_at: null,
            },
          },
        },
        provider_down: {
          summary: 'The provider is down: fetching is retried automatically',
          changes: {
            data: {
              health: 'DEGRADED',
              reason: {
                code: 'PROVIDER_DOWN',
                message: 'The provider cannot be reached at the moment. We retry automatically.',
                since: SINCE,
                action: 'WAIT',
              },
            },
          },
        },
        disabled: {
          summary: 'Disabled',
          changes: { data: { status: 'DISABLED', health: 'UNKNOWN', reason: null, next_fetch_at: null } },
        },
      },
    },
  },
};
