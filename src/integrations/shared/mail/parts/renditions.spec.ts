import type { DocumentRef } from '../../../core/source-document';
import { withRenditions } from './renditions';

const ref = (mail: string, filename: string): DocumentRef => ({
  dedupeKey: `${mail} ${filename}`,
  externalId: null,
  filename,
  metadata: {},
  locator: mail,
});
const TYPES: Record<string, string> = { pdf: 'application/pdf', xml: 'application/xml', png: 'image/png' };
const paired = (...refs: DocumentRef[]) =>
  withRenditions(refs, ({ locator, filename }) => ({
    mail: locator as string,
    mimeType: TYPES[filename.slice(-3)]!,
  })).map(({ filename, renditionOf }) => [filename, ...(renditionOf ?? []).map((each) => each.filename)]);

describe('withRenditions', () => {
  it('lists XML before PDF, and links a PDF to the XML of the same name only', () => {
    expect(paired(ref('1', 'Ü 1.pdf'), ref('1', 'agb.pdf'), ref('1', 'ü 1.xml'), ref('1', '2.xml'))).toEqual([
      ['ü 1.xml'],
      ['2.xml'],
      ['Ü 1.pdf', 'ü 1.xml'],
      ['agb.pdf', 'ü 1.xml', '2.xml'],
    ]);
  });

  it('links only PDFs, and only within a mail', () => {
    expect(paired(ref('1', 'a.pdf'), ref('2', 'a.xml'), ref('2', 'a.png'), ref('3', 'b.pdf'))).toEqual([
      ['a.pdf'],
      ['a.xml'],
      ['a.png'],
      ['b.pdf'],
    ]);
  });

  it('links a PDF of another name to at most five XML documents', () => {
    const invoices = Array.from({ length: 6 }, (_, n) => ref('1', `${n}.xml`));
    expect(paired(...invoices, ref('1', 'alle.pdf'), ref('1', '3.pdf')).slice(-2)).toEqual([
      ['alle.pdf'],
      ['3.pdf', '3.xml'],
    ]);
  });
});
