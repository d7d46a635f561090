import type { Response } from 'supertest';
import de from '../../../i18n/de/errors.json';
import en from '../../../i18n/en/errors.json';

type Lang = 'en' | 'de';

const TEXTS = { en, de };
const TITLES: Readonly<Record<number, keyof typeof en.title>> = {
  401: 'unauthorized',
  403: 'forbidden',
  404: 'not_found',
  405: '405',
  409: '409',
  413: '413',
  416: '416',
  422: '422',
  429: '429',
  500: 'internal',
};
/** The fingerprint of a certificate or of a host key. */
const FINGERPRINT = /^(?:[0-9A-F]{2}(?::[0-9A-F]{2}){31}|SHA256:[A-Za-z0-9+/]{43})$/;
const WITH_ERRORS = [405, 409, 413, 416, 422, 429];

/**
 * Expects the complete error body of decisions 2: its members, the language, the request id, and `errors` only where it is defined.
 * `invalidFields` are all invalid fields with their codes, in any order.
 */
export function expectError(
  answer: Response,
  status: number,
  code: string,
  invalidFields: Readonly<Record<string, string>> = {},
  lang: Lang = 'en',
): void {
  const body = answer.body as Record<string, unknown>;
  expect({ status: answer.status, code: body.code, errors: codesByField(body.errors) }).toEqual({
    status,
    code,
    errors: WITH_ERRORS.includes(status) ? invalidFields : undefined,
  });
  expect(answer.headers['content-type']).toMatch(/^application\/json/);
  expect(body).toEqual({
    type: `https://docfetch.test/docs/errors#${code}`,
    title: TEXTS[lang].title[TITLES[status]!],
    status,
    code,
    detail: expect.stringMatching(sentences(code, lang)),
    request_id: answer.headers['x-request-id'],
    ...(WITH_ERRORS.includes(status) && { errors: body.errors }),
  });
  expect(body.request_id).toMatch(/^[A-Za-z0-9_-]{1,64}$/);
}

function codesByField(errors: unknown): Record<string, string> | undefined {
  if (errors === undefined) return undefined;
  const rows = errors as { field: string; code: string; message: string; fingerprint?: string }[];
  for (const { fingerprint, ...row } of rows) {
    expect(Object.keys(row).sort()).toEqual(['code', 'field', 'message']);
    if (fingerprint !== undefined) expect(fingerprint).toMatch(FINGERPRINT);
    // A sentence, neither the key of a missing text nor a text with an unfilled placeholder.
    expect(row.message).toMatch(/ .*[.!?]$/);
    expect(row.message).not.toMatch(/[{}]|^validation\./);
  }
  const fields = Object.fromEntries(rows.map(({ field, code }) => [field, code]));
  expect(rows).toHaveLength(Object.keys(fields).length);
  return fields;
}

/** Matches the message of a code with any parameters. */
function sentences(code: string, lang: Lang): RegExp {
  const text = (TEXTS[lang].detail as Record<string, string | { one: string; other: string }>)[code];
  if (text === undefined) throw new Error(`There is no sentence for ${code} in ${lang}.`);
  const forms = typeof text === 'string' ? [text] : [text.one, text.other];
  const literal = (part: string) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  return new RegExp(
    `^(?:${forms
      .map((form) =>
        form
          .split(/\{\w+\}/)
          .map(literal)
          .join('[^{}]+'),
      )
      .join('|')})$`,
  );
}
