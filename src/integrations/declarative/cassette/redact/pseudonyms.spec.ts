import { ACME, changed } from '../../../../../test/harness/declarative/declared-provider';
import { declareIntegration } from '../../declare-integration';
import { Addresses } from './addresses';
import { namedValues } from './named-values';
import { Pseudonyms } from './pseudonyms';

function pseudonymsOf(changes: Readonly<Record<string, unknown>> = {}): Pseudonyms {
  const { manifest } = declareIntegration('acme.yaml', changed(changes, ACME)).compiled!;
  const addresses = new Addresses(manifest, 'http://127.0.0.1:4100/v1', () => manifest.base);
  return new Pseudonyms(namedValues(manifest), addresses.pseudonymOf);
}

describe('The pseudonym of a value', () => {
  it.each([
    ['Müller & Söhne GmbH', /^[A-Z][a-z]{5} & [A-Z][a-z]{4} [A-Z][a-z][a-z][A-Z]$/],
    ['R-2026/0042', /^[A-Z]-\d{4}\/\d{4}$/],
    ['007', /^0\d\d$/],
    ['1f0d6e1c-9a4b-4c1d-8e2f-0a1b2c3d4e5f', /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/],
    ['anna.schmidt@firma.test', /^[a-z]{4}\.[a-z]{7}@[a-z]{5}\.example$/],
    ['Rechnung 7.PDF', /^[A-Z][a-z]{7} \d\.PDF$/],
    ['2026-02-28', /^202[456]-\d\d-\d\d$/],
    ['2026-02-28T23:59:59.123+01:00', /^202[456]-\d\d-\d\dT23:59:59\.123\+01:00$/],
    ['/Date(1573755038314+0000)/', /^\/Date\(15\d{11}\+0000\)\/$/],
    ['2026-02', /^202[456]-(0[1-9]|1[0-2])$/],
    ['11-2026', /^(0[1-9]|1[0-2])-202[56]$/],
  ])('has the form of %s', (value, form) => {
    const pseudonyms = pseudonymsOf();
    expect(pseudonyms.text(value)).toMatch(form);
    expect(pseudonyms.text(value)).not.toBe(value);
    expect(pseudonyms.text(value)).toBe(pseudonyms.text(value));
  });

  it.each(['draft', 'on hold', 'EUR', 'eur', 'application/pdf', '7', '0001-01-01', ' ', '---'])(
    'is %s itself, which says nothing',
    (value) => {
      expect(pseudonymsOf({ 'streams.invoice.ready': 'state!=draft,on hold' }).text(value)).toBe(value);
    },
  );

  it('is an IBAN of the same country with valid check digits', () => {
    const made = pseudonymsOf().text('DE02 1203 0000 0000 2020 51');
    expect(made).toMatch(/^DE\d\d \d{4} \d{4} \d{4} \d{4} \d\d$/);
    expect(made).not.toContain('1203');
    const [, check, account] = /^DE(\d\d)(\d+)$/.exec(made.replaceAll(' ', ''))!;
    expect(Number(BigInt(`${account}1314${check}`) % 97n)).toBe(1);
  });

  it('differs from that of every other value, and in every cassette', () => {
    const pseudonyms = pseudonymsOf();
    const values = Array.from({ length: 90 }, (_, n) => String(n + 10));
    expect(new Set(values.map((value) => pseudonyms.text(value))).size).toBe(90);
    expect(pseudonyms.text('Erika Mustermann')).not.toBe(pseudonymsOf().text('Erika Mustermann'));
  });

  it('is the same for a number, a text and a part of an address', () => {
    const pseudonyms = pseudonymsOf();
    const made = pseudonyms.number(4711);
    expect(pseudonyms.text('4711')).toBe(String(made));
    expect(pseudonyms.text('http://127.0.0.1:4100/v1/invoices/4711/pdf')).toMatch(
      new RegExp(`^https://api\\.acme\\.test/v1/invoices/${made}/[a-z]{3}$`),
    );
    expect(pseudonyms.text('/v1/invoices?after=4711')).toBe(`/v1/invoices?after=${made}`);
  });

  it('of an address is on a declared host', () => {
    const signed = 'https://muster-gmbh.cdn.acme.test/4711/a.pdf?signature=abcdef123456';
    const declared = pseudonymsOf({ hosts: ['*.acme.test'] }).text(signed);
    expect(declared).toMatch(
      /^https:\/\/[a-z]{6}-[a-z]{4}-[a-z-]+\.acme\.test\/\d{4}\/[a-z]\.pdf\?signature=[a-f\d]{12}$/,
    );
    expect(declared).not.toMatch(/muster|4711|abcdef/);
    expect(pseudonymsOf({ hosts: 'any' }).text(signed)).toMatch(/^https:\/\/[a-z-]+\.example\//);
    expect(pseudonymsOf().text(signed)).toMatch(/^https:\/\/api\.acme\.test\//);
  });

  it('keeps the beginning or the end that the file compares', () => {
    const pseudonyms = pseudonymsOf({
      'streams.invoice.let': {
        vat: 'ids[type$=_vat].value',
        account: 'pdf | segment acct_',
        own: 'ids[type^=own-].value',
      },
    });
    expect(pseudonyms.text('eu_vat')).toMatch(/^[a-z]{2}_vat$/);
    expect(pseudonyms.text('acct_Ab12')).toMatch(/^acct_[A-Z][a-z]\d\d$/);
    expect(pseudonyms.text('own-id')).toMatch(/^own-[a-z]{2}$/);
  });

  it('of amounts keeps signs, sums and decimal places within a record', () => {
    const pseudonyms = pseudonymsOf();
    const [net, tax, gross] = ['100.00', '19.00', '119.00'].map((amount) => Number(pseudonyms.amount(amount, '71')));
    expect(Math.abs(net! + tax! - gross!)).toBeLessThan(0.02);
    expect(pseudonyms.amount('-5', '71')).toMatch(/^-\d+$/);
    expect(pseudonyms.amount('0.00', '71')).toBe('0.00');
    expect(pseudonyms.amount('1000000.00', '72')).not.toBe(pseudonyms.amount('1000000.00', '71'));
  });
});
