import { SAMPLE_IDS } from '../sample-ids';
import type { OperationExamples } from './named-example';

const identity_uuid = SAMPLE_IDS.identity;
const connection_uuid = SAMPLE_IDS.connection;
const RETURN_URL = 'https://app.example.com/documents';

const tokenRequests: OperationExamples['request'] = {
  overview: { summary: 'All connections of the identity', value: { identity_uuid, return_url: RETURN_URL } },
  add: {
    summary: 'Connect one integration, in German',
    value: { identity_uuid, return_url: RETURN_URL, integration_id: 'sandbox', state: 'order-4711', lang: 'de' },
  },
  edit: {
    summary: 'Edit one connection',
    value: { identity_uuid, return_url: RETURN_URL, connection_uuid },
  },
};

/** Examples of the operations on identities and UI tokens. */
export const IDENTITY_EXAMPLES: Readonly<Record<string, OperationExamples>> = {
  createToken: { request: tokenRequests },
  createTokenV1: { request: tokenRequests },
  createReturnUrl: {
    request: {
      created: {
        summary: 'A connection was created',
        value: { result: 'success', action: 'created', connection_uuid },
      },
      cancelled: { summary: 'The user canceled', value: { result: 'cancelled', action: 'none' } },
    },
  },
  requestSource: {
    request: {
      portal: { summary: 'A portal of a supplier', value: { text: 'Stadtwerke Musterstadt' } },
    },
  },
  createIdentity: {
    request: {
      company: {
        summary: 'A company',
        value: { client_identifier: 'customer-4711', display_name: 'Muster GmbH', type: 'COMPANY' },
      },
      minimal: { summary: 'Only what is required', value: { client_identifier: 'customer-4712' } },
    },
  },
  updateIdentity: {
    request: {
      rename: { summary: 'Another display name', value: { display_name: 'Muster & Söhne GmbH' } },
      clear: { summary: 'Remove one of your own texts', value: { metadata: { tenant: null } } },
    },
  },
};
