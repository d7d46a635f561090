import { changed } from '../../../../test/samples/e-invoices/sample';
import { variant } from '../../../../test/samples/e-invoices/validation/variants';
import { PEPPOL_BIS } from './peppol/specification';
import { validateInvoice } from './validate-invoice';
import { CIUS } from './xrechnung/specifications';

const full = (name: string) => variant(name).xml;
const validated = (xml: string, specification?: string) => validateInvoice(Buffer.from(xml), specification);

describe('choosing the rules for an e-invoice', () => {
  it.each([
    'urn:cen.eu:en16931:2017#conformant#urn:factur-x.eu:1p0:extended',
    'urn:cen.eu:en16931:2017#compliant#urn:xoev-de:kosit:standard:xrechnung_2.3#conformant#urn:xoev-de:kosit:extension:xrechnung_2.3',
  ])('gives no verdict on %s, which changes the rules', (specification) => {
    expect(validated(full('cii-full'), specification)).toBeUndefined();
  });

  it.each([
    ['cii-basic-wl', 'BASIC WL', ['BR-CO-13', 'BR-CO-15']],
    ['cii-minimum', 'MINIMUM', []],
  ])('tests what the profile of %s keeps of EN 16931', (name, profile, failing) => {
    const { xml, specification } = variant(name);
    expect(validated(xml, specification)).toMatchObject({
      ruleset: { name: `EN 16931, as far as Factur-X ${profile} has it` },
      errors: 0,
    });
    const wrong = changed(xml, '<ram:TaxBasisTotalAmount>285.70<', '<ram:TaxBasisTotalAmount>285.71<');
    expect(validated(wrong, specification)?.findings.map(({ rule }) => rule)).toEqual(failing);
    const anonymous = changed(xml, '<ram:ID>RE-4711</ram:ID>', '<ram:ID> </ram:ID>');
    expect(validated(anonymous, specification)?.findings.map(({ rule }) => rule)).toContain('BR-02');
  });

  it('tests older versions of XRechnung against EN 16931', () => {
    const specification = 'urn:cen.eu:en16931:2017#compliant#urn:xoev-de:kosit:standard:xrechnung_2.3';
    expect(validated(full('ubl-full'), specification)?.ruleset).toEqual({ name: 'EN 16931', version: 'CEN 1.3.16' });
  });

  it.each<[what: string, specification: string, process: string]>([
    ['identifier', PEPPOL_BIS, 'urn:fdc:peppol.eu:2017:poacc:billing:01:1.0'],
    ['process when the identifier is missing', '', 'urn:fdc:peppol.eu:2017:poacc:billing:01:1.0'],
  ])('tests the rules of Peppol BIS Billing because of the %s', (_what, specification, process) => {
    const xml = changed(full('ubl-full'), CIUS, specification).replace(
      'urn:fdc:peppol.eu:2017:poacc:billing:01:1.0',
      process,
    );
    const result = validated(xml, specification || undefined);
    expect(result?.ruleset).toEqual({ name: 'Peppol BIS Billing', version: 'OpenPEPPOL 3.0.19, CEN 1.3.16' });
    expect(result?.findings.filter(({ rule }) => rule === 'PEPPOL-EN16931-CL008')).toMatchObject([
      { severity: 'FATAL', term: 'BT-34' },
    ]);
  });

  it('leaves an XRechnung that names a process of Peppol with the rules of XRechnung', () => {
    expect(validated(full('ubl-full'), CIUS)?.ruleset.name).toBe('XRechnung');
  });
});
