import type { Parameter } from '../../platform/openapi/openapi-document';

export const headerParameter = (
  name: string,
  description: string,
  schema: Parameter['schema'],
  example: string,
): Parameter => ({
  name,
  in: 'header',
  required: true,
  description,
  schema,
  example,
});

/** The headers of a signed message (decisions 6, Standard Webhooks). */
export const SIGNATURE_HEADERS: Parameter[] = [
  headerParameter(
    'webhook-id',
    'The id of the message, the same for every attempt: use it to detect duplicates.',
    { type: 'string' },
    '019a9f6e-2c41-7c5e-9d0a-1b7c2f3e4d5a',
  ),
  headerParameter(
    'webhook-timestamp',
    'The time of this attempt, in seconds since 1970. Reject messages that are older than five minutes.',
    { type: 'string', pattern: '^[0-9]+$' },
    '1795171800',
  ),
  headerParameter(
    'webhook-signature',
    'One or more signatures, separated by spaces: `v1,` and the base64 of HMAC-SHA256 over `{webhook-id}.{webhook-timestamp}.{body}` with the decoded part after `whsec_` of your signing secret (for a webhook: of its own secret). One matching signature is sufficient.',
    { type: 'string', pattern: '^v1,[A-Za-z0-9+/]+=*( v1,[A-Za-z0-9+/]+=*)*$' },
    'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=',
  ),
];
