import { PDF, XML } from '../detection/mime-type';
import type { Metadata, Provenance } from '../metadata';
import { areSameInvoice, formRank, type InvoiceDocument } from './invoice-forms';

const FACTS: Metadata = {
  number: 'RE 7',
  date: '2026-03-01',
  amount: '119.00',
  amount_net: '100.00',
  currency: 'EUR',
  supplier: { name: 'Müller GmbH', vat_id: 'DE123456788' },
};

function document(mimeType: string, from: Provenance, facts: Partial<Metadata> = {}): InvoiceDocument {
  const metadata: Metadata = { ...FACTS, ...facts };
  const provenance = Object.fromEntries(Object.keys(metadata).map((key) => [key, from]));
  const format = mimeType === PDF ? 'ZUGFERD' : 'XRECHNUNG';
  const eInvoice = from === 'E_INVOICE' && { e_invoice: { format } as const };
  return { mimeType, documentType: 'invoice', metadata: { ...metadata, ...eInvoice, provenance } };
}
const xml = (facts?: Partial<Metadata>) => document(XML, 'E_INVOICE', facts);
const hybrid = (facts?: Partial<Metadata>) => document(PDF, 'E_INVOICE', facts);
const plain = (facts?: Partial<Metadata>) => document(PDF, 'TEXT', facts);

describe('areSameInvoice', () => {
  it.each([
    ['XML and hybrid', xml(), hybrid()],
    ['XML and a plain PDF', xml(), plain()],
    ['hybrid and a plain PDF', hybrid(), plain()],
    ['numbers with other spaces', xml({ number: 'RE7' }), plain()],
    [
      'suppliers with one identifier in common',
      xml({ supplier: { name: 'A', vat_id: 'DE1' } }),
      plain({ supplier: { vat_id: 'DE1' } }),
    ],
    ['suppliers by name', xml({ supplier: { name: 'MÜLLER  GmbH' } }), plain()],
    ['two XML that agree in everything', xml(), xml({ source: { kind: 'mail' }, revision: 2 })],
  ])('is true for %s', (_, one, other) => {
    expect(areSameInvoice(one, other)).toBe(true);
    expect(areSameInvoice(other, one)).toBe(true);
  });

  it.each([
    ['another number', xml(), plain({ number: 'RE 8' })],
    ['another amount', xml(), plain({ amount: '120.00' })],
    ['another supplier of the same name', xml(), plain({ supplier: { name: 'Müller GmbH', vat_id: 'DE2' } })],
    ['another supplier without identifiers', xml(), plain({ supplier: { name: 'Meier GmbH' } })],
    ['another date', xml(), plain({ date: '2026-03-02' })],
    ['no supplier', xml(), plain({ supplier: undefined })],
    ['what only the provider says about a PDF', xml(), document(PDF, 'PROVIDER')],
    ['a reminder', xml(), { ...plain(), documentType: 'reminder' as const }],
    ['two plain PDFs', plain(), plain()],
    ['two XML with another due date', xml(), xml({ due_date: '2026-04-01' })],
    ['a picture', xml(), document('image/png', 'TEXT')],
  ])('is false for %s', (_, one, other) => {
    expect(areSameInvoice(one, other)).toBe(false);
    expect(areSameInvoice(other, one)).toBe(false);
  });
});

it('prefers the hybrid to the XML, and the XML to the PDF', () => {
  const other = document('image/png', 'PROVIDER');
  expect([other, plain(), xml(), hybrid()].sort((a, b) => formRank(a) - formRank(b))).toEqual([
    hybrid(),
    xml(),
    plain(),
    other,
  ]);
});
