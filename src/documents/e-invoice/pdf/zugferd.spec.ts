import { changed, sample } from '../../../../test/samples/e-invoices/sample';
import { pdfWith } from '../../../../test/samples/e-invoices/pdf-with';
import { needsPassword } from './open-pdf';
import { readZugferd } from './zugferd';

const cii = sample('cii-invoice');

describe('the invoice in a PDF', () => {
  it.each([
    ['factur-x.xml', 'FACTURX'],
    ['zugferd-invoice.xml', 'ZUGFERD'],
    ['ZUGFeRD-invoice.xml', 'ZUGFERD'],
    ['xrechnung.xml', 'ZUGFERD'],
  ])('is read from %s', async (name, format) => {
    const pdf = await pdfWith({ attachments: { [name]: cii } });
    expect(await readZugferd(pdf)).toMatchObject({
      documentType: 'invoice',
      metadata: { number: 'F-1001', amount: '107.10', e_invoice: { format, profile: 'EN16931', valid: false } },
      validation: { ruleset: { name: 'EN 16931' } },
    });
  });

  it('is read as ZUGFeRD 1.0', async () => {
    const pdf = await pdfWith({ attachments: { 'ZUGFeRD-invoice.xml': sample('zugferd-1') } });
    expect((await readZugferd(pdf))?.metadata.e_invoice).toEqual({ format: 'ZUGFERD', profile: 'COMFORT' });
  });

  it('is found among other attachments, the newest standard first', async () => {
    const old = changed(cii, '>F-1001<', '>old<');
    const pdf = await pdfWith({
      attachments: { 'AGB.pdf': 'x', 'ZUGFeRD-invoice.xml': old, 'factur-x.xml': cii, 'lieferschein.xml': old },
    });
    expect((await readZugferd(pdf))?.metadata.number).toBe('F-1001');
  });

  it('is read from a PDF that cannot be changed without a password', async () => {
    const pdf = await pdfWith({ attachments: { 'factur-x.xml': cii }, ownerPassword: 'secret' });
    expect((await readZugferd(pdf))?.metadata.number).toBe('F-1001');
  });

  it('is not found under another name, with another root, or without an attachment', async () => {
    expect(await readZugferd(await pdfWith({ attachments: { 'invoice.xml': cii } }))).toBeUndefined();
    expect(await readZugferd(await pdfWith({ attachments: { 'factur-x.xml': '<order xmlns="u"/>' } }))).toBeUndefined();
    expect(await readZugferd(await pdfWith({}))).toBeUndefined();
  });

  it('cannot be read from an encrypted PDF, a broken one, or when the XML is broken', async () => {
    const encrypted = await pdfWith({ attachments: { 'factur-x.xml': cii }, userPassword: 'secret' });
    await expect(readZugferd(encrypted)).rejects.toThrow('password');
    expect(needsPassword(await readZugferd(encrypted).catch((error: unknown) => error))).toBe(true);
    await expect(readZugferd(Buffer.from('%PDF-1.7\nEmbeddedFile'))).rejects.toThrow('Invalid PDF');
    const broken = await pdfWith({ attachments: { 'factur-x.xml': cii.slice(0, -9) } });
    await expect(readZugferd(broken)).rejects.toThrow('not well-formed');
    expect(needsPassword(await readZugferd(broken).catch((error: unknown) => error))).toBe(false);
  });
});
