import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { changed, sample } from '../../../../test/samples/e-invoices/sample';
import { disagreements } from '../../../../test/samples/e-invoices/validation/agreement';
import { EN16931_RULES } from './en16931/en16931-rules';
import { evaluate, TooExpensive } from './engine/evaluate';
import { InvoiceDocument } from './engine/invoice-document';
import { parseTree } from './engine/xml-node';
import { PEPPOL_RULES } from './peppol/peppol-rules';
import { validateInvoice } from './validate-invoice';
import { CIUS } from './xrechnung/specifications';
import { XRECHNUNG_RULES } from './xrechnung/xrechnung-rules';

const EN_16931 = 'urn:cen.eu:en16931:2017';
const full = (name: string) =>
  readFileSync(join(__dirname, `../../../../test/samples/e-invoices/validation/${name}.xml`), 'utf8');
const validated = (xml: string, specification?: string) => validateInvoice(Buffer.from(xml), specification);
const found = (xml: string) => validated(xml, EN_16931)?.findings.map(({ rule }) => rule);

describe('validating an e-invoice', () => {
  it.each(['ubl-full', 'cii-full'])('finds what the published rules find in changed copies of %s', (name) => {
    const { tested, different } = disagreements(name, 12);
    expect(tested).toBeGreaterThan(150);
    expect(different).toEqual([]);
  });

  it.each(['ubl-xrechnung', 'cii-xrechnung', 'ubl-extension', 'cii-vehicles'])(
    'finds what the published rules of XRechnung find in changed copies of %s',
    (name) => {
      const { tested, different } = disagreements(name, 24);
      expect(tested).toBeGreaterThan(80);
      expect(different).toEqual([]);
    },
  );

  it.each(['de', 'dk', 'no', 'it', 'se', 'gr', 'is', 'nl'])(
    'finds what the published rules of Peppol find in changed invoices of the country %s',
    (country) => {
      const { tested, different } = disagreements(`ubl-peppol-${country}`, 48);
      expect(tested).toBeGreaterThan(50);
      expect(different).toEqual([]);
    },
  );

  it('says which rule failed, where, how gravely and of which kind', () => {
    const xml = changed(full('cii-full'), '<ram:GrandTotalAmount>324.50<', '<ram:GrandTotalAmount>324.51<');
    expect(validated(xml, EN_16931)).toMatchObject({
      ruleset: { name: 'EN 16931', version: 'CEN 1.3.16' },
      errors: 2,
      findings: expect.arrayContaining([
        {
          rule: 'BR-CO-15',
          severity: 'FATAL',
          class: 'CONTENT',
          term: 'BT-112',
          path: '/rsm:CrossIndustryInvoice',
          sentence: { key: 'sum_gross' },
        },
      ]) as unknown,
    });
  });

  it('counts lines in the path of a finding', () => {
    const xml = changed(full('ubl-full'), '<cbc:Name>Mehl</cbc:Name>', '');
    expect(validated(xml, EN_16931)?.findings.find(({ rule }) => rule === 'BR-25')?.path).toBe(
      '/Invoice/cac:InvoiceLine[2]',
    );
  });

  it('tests credit notes and invoices in the envelope of Peppol', () => {
    expect(validated(sample('ubl-credit-note'), EN_16931)?.ruleset.name).toBe('EN 16931');
    const invoice = full('ubl-full').replace(/<\?xml.*?\?>/, '');
    const envelope = `<d:StandardBusinessDocument xmlns:d="u"><d:Header/>${invoice}</d:StandardBusinessDocument>`;
    expect(found(envelope)).toEqual(found(full('ubl-full')));
  });

  it.each([
    ['an amount that is no number', '>301.00<', '>301,00<', 'FORMAT-DECIMAL'],
    ['a date that does not exist', '<cbc:StartDate>2026-10-01<', '<cbc:StartDate>2026-02-30<', 'FORMAT-DATE'],
    [
      'an indicator that is no boolean',
      '>true</cbc:ChargeIndicator><cbc:AllowanceChargeReasonCode>FC',
      '>yes</cbc:ChargeIndicator><cbc:AllowanceChargeReasonCode>FC',
      'FORMAT-BOOLEAN',
    ],
    [
      'a number given twice',
      '<cbc:ID>RE-4711</cbc:ID>',
      '<cbc:ID>RE-4711</cbc:ID><cbc:ID>RE-4712</cbc:ID>',
      'FORMAT-REPEATED',
    ],
  ])('%s is one error of the format', (_what, part, replacement, rule) => {
    const result = validated(changed(full('ubl-full'), part, replacement), EN_16931);
    expect(result?.findings.filter((each) => each.class === 'FORMAT').map((each) => each.rule)).toEqual([rule]);
  });

  it('tests the rules of XRechnung for its identifiers only', () => {
    const xml = changed(full('ubl-full'), '<cbc:BuyerReference>04011000-12345-03</cbc:BuyerReference>', '');
    expect(found(xml)).not.toContain('BR-DE-15');
    const result = validated(xml, CIUS);
    expect(result?.ruleset).toEqual({ name: 'XRechnung', version: 'KoSIT 2.5.0, CEN 1.3.16' });
    expect(result?.findings).toEqual([expect.objectContaining({ rule: 'BR-DE-15', severity: 'FATAL', term: 'BT-10' })]);
  });

  it.each([
    ['#SKONTO#TAGE=14#PROZENT=2.00#\n', true],
    ['#SKONTO#TAGE=14#PROZENT=2.00#BASISBETRAG=-10.00#\r\n  \nDanke\n', true],
    ['Danke\n#SKONTO#TAGE=7#PROZENT=3.00#\n#SKONTO#TAGE=14#PROZENT=2.00#\n', true],
    ['Rechnung #7 ohne Skonto', true],
    ['#SKONTO#TAGE=14#PROZENT=2.00#', false],
    ['#SKONTO#TAGE=14#PROZENT=2,00#\n', false],
    ['#SKONTO#TAGE=14#PROZENT=2.00# Danke\n', false],
    ['#VERZUG#TAGE=14#PROZENT=2.00#\n', false],
  ])('the payment terms %j follow the pattern for discounts: %s', (terms, follows) => {
    const xml = changed(full('ubl-full'), '<cbc:Note>30 Tage netto</cbc:Note>', `<cbc:Note>${terms}</cbc:Note>`);
    expect(validated(xml, CIUS)?.findings.map(({ rule }) => rule)).toEqual(follows ? [] : ['BR-DE-18']);
  });

  it('takes a missing specification identifier for an error of EN 16931', () => {
    const xml = changed(full('ubl-full'), 'urn:cen.eu:en16931:2017#compliant#urn:xeinkauf.de:kosit:xrechnung_3.0', '');
    expect(validated(xml, undefined)?.findings.map(({ rule }) => rule)).toContain('BR-01');
  });

  it('gives up on a file that takes too long', () => {
    const invoice = new InvoiceDocument(
      parseTree(full('ubl-full'), () => true)!,
      'UBL',
    );
    let now = 0;
    expect(() => evaluate(EN16931_RULES.ubl, invoice, () => (now += 100))).toThrow(TooExpensive);
  });

  it('lists at most twenty places of a rule and counts all', () => {
    const line = /<cac:InvoiceLine>\s*<cbc:ID>3<[\s\S]*?<\/cac:InvoiceLine>/.exec(full('ubl-full'))![0];
    const xml = changed(full('ubl-full'), line, line.replace('<cbc:Name>Schulung</cbc:Name>', '').repeat(30));
    const result = validated(xml, EN_16931)!;
    expect(result.findings.filter(({ rule }) => rule === 'BR-25')).toHaveLength(20);
    expect(result.errors).toBeGreaterThan(result.findings.filter(({ severity }) => severity === 'FATAL').length);
  });

  it('has a sentence and a name of the term for every rule', () => {
    const { sentence, term } = JSON.parse(
      readFileSync(join(__dirname, '../../../../i18n/en/e-invoice-rules.json'), 'utf8'),
    ) as Record<'sentence' | 'term', Record<string, string>>;
    const sets = [EN16931_RULES, ...XRECHNUNG_RULES.values()];
    const rules = [...sets.flatMap(({ ubl, cii }) => [...ubl, ...cii]), ...PEPPOL_RULES];
    expect(rules.filter((rule) => sentence[rule.sentence.key] === undefined).map(({ id }) => id)).toEqual([]);
    expect(rules.filter((rule) => rule.term !== null && term[rule.term] === undefined)).toEqual([]);
    expect(new Set(PEPPOL_RULES.map(({ id }) => id)).size).toBe(PEPPOL_RULES.length);
    for (const { ubl, cii } of sets) {
      expect(new Set(ubl.map(({ id }) => id)).size).toBe(ubl.length);
      expect(new Set(cii.map(({ id }) => id)).size).toBeGreaterThan(700);
    }
  });
});
