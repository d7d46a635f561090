import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ciiInvoice, ublInvoice } from '../../../test/builders/invoice-documents';
import { readReadableInvoice } from '../../documents/e-invoice/readable/read-readable-invoice';
import type { Lang } from '../../platform/i18n/lang';
import { readablePage, type ReadablePageOptions } from './readable-page';

type Texts = { readonly [key: string]: string | Texts };
const TEXTS = Object.fromEntries(
  (['en', 'de'] as const).map((lang) => [
    lang,
    JSON.parse(readFileSync(join(__dirname, `../../../i18n/${lang}/readable.json`), 'utf8')) as Texts,
  ]),
);
const textIn =
  (lang: Lang) =>
  (key: string, values: Readonly<Record<string, string>> = {}) => {
    const found = key
      .split('.')
      .reduce<string | Texts | undefined>((at, name) => (typeof at === 'object' ? at[name] : undefined), TEXTS[lang]);
    return typeof found === 'string' ? found.replace(/\{(\w+)\}/g, (_, name: string) => values[name]!) : key;
  };

const page = (xml: Buffer | string, lang: Lang = 'de', more: Partial<ReadablePageOptions> = {}) =>
  readablePage(readReadableInvoice(Buffer.from(xml))!, { filename: 'rechnung.xml', lang, text: textIn(lang), ...more });
/** The text that a reader sees, in order. */
const shown = (html: string) =>
  html
    .replace(/<style>[\s\S]*<\/style>/, '')
    .replace(/<[^>]+>/g, '|')
    .replace(/(?:\s*\|\s*)+/g, '|')
    .replaceAll('\u00a0', ' ');

const SPEC = {
  number: 'RE-2026/77',
  date: '2026-03-01',
  orderReference: 'B-17',
  lines: [
    { name: 'Beratung', quantity: 12.5, unitPrice: 110.5, vatRate: 19 },
    { name: 'Buch', quantity: 1, unitPrice: 20, vatRate: 7 },
  ],
};

describe('readablePage', () => {
  it.each([
    ['UBL', ublInvoice],
    ['CII', ciiInvoice],
  ])('shows all groups of an invoice in %s', (_, make) => {
    const text = shown(page(make(SPEC)));
    for (const part of [
      '|Rechnung RE-2026/77|',
      '|Zahlbetrag:|1.665,09 EUR|',
      '|Verkäufer|Name|Müller &amp; Söhne GmbH|',
      '|Land|Deutschland|',
      '|Umsatzsteuer-ID|DE123456788|',
      '|Käufer|Name|',
      '|Rechnungsdatum|1. März 2026|',
      '|Fällig am|15. März 2026|',
      '|Bestellung|B-17|',
      '|Konto|DE89370400440532013000|',
      '|1|Beratung|12,5 ',
      '|110,50 EUR|Regelsatz, 19 %|1.381,25 EUR|',
      '|Regelsatz|7 %|20,00 EUR|1,40 EUR|',
      '|Summe ohne Umsatzsteuer|1.401,25 EUR|Umsatzsteuer|263,84 EUR|Summe mit Umsatzsteuer|1.665,09 EUR|',
    ]) {
      expect(text).toContain(part);
    }
    expect(shown(page(make(SPEC), 'en'))).toContain('|Invoice RE-2026/77|');
    expect(shown(page(make({ ...SPEC, type: 381 }), 'en'))).toContain('|Credit note RE-2026/77|');
  });

  it('has a label for every value, in both languages', () => {
    for (const lang of ['de', 'en'] as const)
      for (const make of [ublInvoice, ciiInvoice])
        expect(page(make(SPEC), lang)).not.toMatch(/label\.|group\.|>undefined|\[object/);
  });

  it('escapes everything that the invoice and its file name contain', () => {
    const attack = `"><script>alert(1)</script><img src=x onerror='y'>`;
    const escaped = attack
      .replaceAll('&', '&amp;')
      .replaceAll('<', '&lt;')
      .replaceAll('>', '&gt;')
      .replaceAll('"', '&quot;');
    const xml = ublInvoice(SPEC)
      .toString()
      .replaceAll('RE-2026/77', escaped)
      .replaceAll('>Beratung<', `>${escaped}<`)
      .replaceAll('>380<', `>${escaped}<`)
      .replaceAll('unitCode="', `unitCode="${escaped}`)
      .replaceAll('>DE<', `>${escaped}<`);
    const html = page(xml, 'de', { filename: `${attack}\u202exml` });
    expect(html).not.toMatch(/<script|<img|onerror='|\u202e/);
    expect(html).toContain('&lt;script&gt;alert(1)');
  });

  it('shows codes, numbers and dates as written when they cannot be formatted', () => {
    const xml = ublInvoice(SPEC)
      .toString()
      .replace('>380<', '>999<')
      .replace('>2026-03-15<', '>morgen<')
      .replace('>12.5<', '>viele<');
    const text = shown(page(xml));
    for (const part of ['|999 RE-2026/77|', '|Fällig am|morgen|', '|viele ']) expect(text).toContain(part);
  });

  it('keeps the line breaks of notes, also of long ones, and every digit of an amount', () => {
    const note = `#SKONTO#TAGE=7#PROZENT=2.00#\n${'Zeile. '.repeat(400)}Ende`;
    const xml = ublInvoice(SPEC)
      .toString()
      .replace('<cbc:DocumentCurrencyCode>', `<cbc:Note>${note}</cbc:Note><cbc:DocumentCurrencyCode>`)
      .replaceAll('>1665.09<', '>12345678901234567.89<');
    const text = shown(page(xml));
    expect(text).toContain(`|Bemerkungen|${note.replace(/ \n/g, '\n')}|`);
    expect(text).toContain('|12.345.678.901.234.567,89 EUR|');
  });

  it('says what the validation has found', () => {
    const ruleset = { name: 'EN 16931', version: 'CEN 1.3.16' };
    const report = { ruleset, valid: true, errors: 0, warnings: 0, findings: [] };
    expect(shown(page(ublInvoice(SPEC), 'de', { report }))).toContain('Regeln von EN 16931 (CEN 1.3.16) ein.');
    const finding = {
      rule: 'BR-CO-15',
      severity: 'FATAL',
      class: 'CONTENT',
      term: 'BT-112',
      path: '/Invoice',
      message: 'Summe <falsch>',
    } as const;
    const html = page(ublInvoice(SPEC), 'de', { report: { ...report, valid: false, errors: 1, findings: [finding] } });
    expect(shown(html)).toContain('Fehler: 1, Warnungen: 0.');
    expect(shown(html)).toContain('|Fehler|BR-CO-15|Summe &lt;falsch&gt;|');
  });

  it('is bounded for an invoice with very many lines, and says so', () => {
    const line = /<cac:InvoiceLine>[\s\S]*?<\/cac:InvoiceLine>/.exec(ublInvoice(SPEC).toString())![0];
    const xml = ublInvoice(SPEC).toString().replace(line, line.repeat(3000));
    const html = page(xml);
    expect(html.match(/<tr>/g)!.length).toBeLessThan(1100);
    expect(shown(html)).toContain('länger als das, was diese Seite zeigt');
  });
});
