import { createHash } from 'node:crypto';
import de from '../../../../i18n/de/error-reference.json';
import deErrors from '../../../../i18n/de/errors.json';
import deReasons from '../../../../i18n/de/reasons.json';
import en from '../../../../i18n/en/error-reference.json';
import enErrors from '../../../../i18n/en/errors.json';
import enReasons from '../../../../i18n/en/reasons.json';
import { FIELD_CODE } from '../../../../src/platform/openapi/field-codes';
import { requestWithoutCredentials } from '../../../harness/app/test-client';
import { useSharedContext } from '../../../harness/app/test-context';

const TEXTS = {
  en: { reference: en, errors: enErrors, reasons: enReasons },
  de: { reference: de, errors: deErrors, reasons: deReasons },
};
const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

describe('GET /docs/errors (decisions 2)', () => {
  const context = useSharedContext();
  const page = (query = '', headers: Record<string, string> = {}) =>
    requestWithoutCredentials(context.app, 'get', `/docs/errors${query}`).set(headers).expect(200);

  it.each(['en', 'de'] as const)('explains every code in %s at the type URL of the error', async (lang) => {
    const { reference, errors, reasons } = TEXTS[lang];
    const { text } = await page('', { Lang: lang });
    expect(text).toContain(`<html lang="${lang}">`);
    for (const code of Object.keys(errors.detail) as (keyof typeof reference.cause)[]) {
      const section = new RegExp(`<section id="${code}">.*?</section>`, 's').exec(text)?.[0];
      expect(section).toContain(escaped(reference.cause[code]));
      expect(section).toContain(escaped(reference.remedy[code]));
      expect(section).toMatch(/<span>[45]\d\d<\/span>/);
    }
    for (const code of FIELD_CODE.enum) expect(text).toContain(`<section id="field-${code}">`);
    for (const code of Object.keys(reasons)) expect(text).toContain(`<section id="reason-${code}">`);
    expect(text).not.toMatch(/\{\w+\}|undefined|\[object/);
    const ids = [...text.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('is linked from an error body', async () => {
    const answer = await context.client.request('get', '/v1/connections/x');
    const { pathname, hash } = new URL((answer.body as { type: string }).type);
    expect(pathname).toBe('/docs/errors');
    expect((await page()).text).toContain(`id="${hash.slice(1)}"`);
  });

  it.each<[string, Record<string, string>, string]>([
    ['', {}, 'en'],
    ['', { 'Accept-Language': 'de-DE,de;q=0.9,en;q=0.5' }, 'de'],
    ['?lang=de', { 'Accept-Language': 'en' }, 'de'],
    ['?lang=en', { 'Accept-Language': 'de' }, 'en'],
    ['?lang=fr', { 'Accept-Language': 'de' }, 'en'],
    ['?lang=', { 'Accept-Language': 'de' }, 'de'],
    ['?lang=de&lang=en', {}, 'en'],
    ['?lang[x]=<script>', {}, 'en'],
  ])('for a request %s with %j is in %s', async (query, headers, lang) => {
    const { text } = await page(query, headers);
    expect(text).toContain(`<html lang="${lang}">`);
    expect(text).toContain(`href="?lang=${lang === 'en' ? 'de' : 'en'}"`);
    expect(text).not.toContain('<script');
  });

  it('permits only its inline style sheet', async () => {
    const answer = await page();
    const policy = answer.headers['content-security-policy'] as string;
    const style = /<style>(.*?)<\/style>/s.exec(answer.text)![1]!;
    const hash = createHash('sha256').update(style).digest('base64');
    expect(policy.split('; ').sort()).toEqual(
      [
        `base-uri 'none'`,
        `default-src 'none'`,
        `form-action 'none'`,
        `frame-ancestors 'none'`,
        `style-src 'sha256-${hash}'`,
      ].sort(),
    );
    expect(answer.text).not.toMatch(/style="|<script|<link|<img|https?:/);
  });

  it('is linked from the documentation', async () => {
    const answer = await requestWithoutCredentials(context.app, 'get', '/openapi.json').expect(200);
    expect(JSON.stringify(answer.body)).toContain('/docs/errors');
    const { externalDocs, info } = answer.body as { externalDocs?: { url: string }; info: { description: string } };
    expect(`${externalDocs?.url} ${info.description}`).toContain('/docs/errors');
  });
});
