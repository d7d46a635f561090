import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ERROR_STATUSES, type ErrorCode, kindOf, titleKeyOf } from '../errors/error-codes';
import type { Example } from './openapi-document';

type Sentence = string | Readonly<Record<'one' | 'other', string>>;

/** The messages that the service sends, in English: the document is not localized. */
const { title: TITLES, detail: DETAILS } = JSON.parse(
  readFileSync(join(__dirname, '../../../i18n/en/errors.json'), 'utf8'),
) as { title: Readonly<Record<string, string>>; detail: Readonly<Record<string, Sentence>> };

/** Values for the placeholders of messages. */
const SAMPLES: Readonly<Record<string, string>> = {
  count: '1',
  limit: '20',
  headers: 'X-API-KEY or X-TOKEN',
  scope: 'write',
};

/** Example field errors for the codes that name fields. */
const FIELD_ERRORS: Readonly<Record<string, readonly object[]>> = {
  MISSING_REQUIRED_FIELDS: [{ field: 'fields.host', code: 'REQUIRED', message: 'IMAP server is required.' }],
  VALIDATION_FAILED: [{ field: 'limit', code: 'TOO_LARGE', message: 'Limit must be at most 500.' }],
  CREDENTIALS_REJECTED: [
    { field: 'fields.password', code: 'REJECTED', message: 'Rejected by the provider. Please check your entry.' },
  ],
  PROVIDER_UNREACHABLE: [{ field: 'fields.host', code: 'UNREACHABLE', message: 'IMAP server cannot be reached.' }],
  CLIENT_IDENTIFIER_TAKEN: [
    {
      field: 'client_identifier',
      code: 'CLIENT_IDENTIFIER_TAKEN',
      message: 'Client identifier is taken, with different data.',
    },
  ],
};

/**
 * The message of a code.
 * @throws Error when `i18n/en/errors.json` has none, or one with a placeholder that is missing in {@link SAMPLES}
 */
export function sentenceOf(code: string): string {
  const sentence = DETAILS[code];
  if (sentence === undefined) throw new Error(`i18n/en/errors.json has no sentence for ${code}`);
  const text = typeof sentence === 'string' ? sentence : sentence.one;
  return text.replace(/\{(\w+)\}/g, (_, name: string) => {
    const sample = SAMPLES[name];
    if (sample === undefined) throw new Error(`The sentence of ${code} wants a sample for {${name}}`);
    return sample;
  });
}

/** A complete example of an error body with this code (decisions 2). */
export function exampleOf(code: ErrorCode): Example {
  const status = ERROR_STATUSES[code];
  return {
    summary: sentenceOf(code),
    value: {
      type: `https://docfetch.example.com/docs/errors#${code}`,
      title: TITLES[titleKeyOf(status)],
      status,
      code,
      detail: sentenceOf(code),
      request_id: 'req_4TqRZkq9mC0yXc6x3WnB',
      ...(kindOf(status) === 'validation' && { errors: FIELD_ERRORS[code] ?? [] }),
    },
  };
}
