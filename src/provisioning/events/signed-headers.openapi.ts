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
    'The id of the message, the same for every attempt: use it to recognise a repeat.',
    { type: 'string' },
    '019a9f6e-2c41-7c5e-9d0a-1b7c2f3e4d5a',
  ),
  headerParameter(
    'webhook-timestamp',
    'When this attempt was made, in seconds since 1970. Refuse a message that is older than five minutes.',
    { type: 'string', pattern: '^[0-9]+$' },
    '1795171800',
  ),
  headerParameter(
    'webhook-signature',
    'One or more signatures, separated by spaces: `v1,` and the base64 of HMAC-SHA256 over `{webhook-id}.{webhook-timestamp}.{body}` with the decoded part behind `whsec_` of your signing secret (for a webhook: of its own secret). One that matches is enough.',
    { type: 'string', pattern: '^v1,[A-Za-z0-9+/]+=*( v1,[A-Za-z0-9+/]+=*)*$' },
    'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=',
  ),
];
