import type { Metadata } from '../../../documents/metadata';
import { groupForms } from './group-forms';
import type { NewDocument } from '../record-document';

const FACTS: Metadata = { number: '7', amount: '119.00', supplier: { vat_id: 'DE123456788' } };

function document(dedupeKey: string, mimeType: string, more: Partial<NewDocument> = {}): NewDocument {
  return {
    dedupeKey,
    externalId: null,
    filename: dedupeKey,
    mimeType,
    documentType: 'invoice',
    metadata: {},
    content: { uuid: dedupeKey, size: 1, sha256: '', chunks: 1, start: [] },
    ...more,
  };
}
const invoice = (facts: Metadata, from: 'E_INVOICE' | 'TEXT'): Metadata => ({
  ...facts,
  ...(from === 'E_INVOICE' && { e_invoice: { format: 'CII' } }),
  provenance: { number: from, amount: from, supplier: from },
});
const xml = (key: string, facts = FACTS) => document(key, 'application/xml', { metadata: invoice(facts, 'E_INVOICE') });
const hybrid = (key: string) => document(key, 'application/pdf', { metadata: invoice(FACTS, 'E_INVOICE') });
const grouped = (...documents: NewDocument[]) =>
  groupForms(documents).map((group) => [
    group.document.dedupeKey,
    ...group.renditions.map(({ dedupeKey }) => dedupeKey),
  ]);

describe('groupForms', () => {
  it('makes the hybrid the document, and XML and PDF its renditions, in whatever order they come', () => {
    const pdf = document('plain.pdf', 'application/pdf', { sameInvoiceAs: 'x.xml' });
    expect(grouped(pdf, xml('x.xml'), hybrid('h.pdf'))).toEqual([['h.pdf', 'x.xml', 'plain.pdf']]);
    expect(grouped(hybrid('h.pdf'), xml('x.xml'), pdf)).toEqual([['h.pdf', 'x.xml', 'plain.pdf']]);
    expect(grouped(pdf, xml('x.xml'))).toEqual([['x.xml', 'plain.pdf']]);
  });

  it('keeps different invoices and other documents apart, in their order', () => {
    const other = document('agb.pdf', 'application/pdf');
    expect(grouped(other, xml('1.xml'), xml('2.xml', { ...FACTS, amount: '120.00' }))).toEqual([
      ['agb.pdf'],
      ['1.xml'],
      ['2.xml'],
    ]);
  });

  it('leaves a PDF alone whose XML is not among them', () => {
    expect(grouped(document('p.pdf', 'application/pdf', { sameInvoiceAs: 'x.xml' }))).toEqual([['p.pdf']]);
  });
});
