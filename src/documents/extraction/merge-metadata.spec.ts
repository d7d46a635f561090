import { mergeMetadata } from './merge-metadata';
import type { Metadata } from '../metadata';

const withoutProvenance = ({ provenance: _, ...rest }: Metadata): Metadata => rest;
const withInvoice = (listed: Metadata, metadata: Metadata) =>
  withoutProvenance(mergeMetadata(listed, { metadata, from: 'E_INVOICE' }));
const withText = (listed: Metadata, metadata: Metadata) => mergeMetadata(listed, { metadata, from: 'TEXT' });

describe('the merged metadata of listing and e-invoice', () => {
  it('prefers the values of the invoice, except the source of the listing', () => {
    const fromSource: Metadata = {
      number: 'listing',
      amount: '1.00',
      due_date: '2026-01-01',
      source: { kind: 'mail' },
    };
    const fromContent: Metadata = { number: 'invoice', amount: '119.00', source: { kind: 'never' } };
    expect(withInvoice(fromSource, fromContent)).toEqual({
      number: 'invoice',
      amount: '119.00',
      due_date: '2026-01-01',
      source: { kind: 'mail' },
    });
    expect(fromSource.number).toBe('listing');
  });

  it('never mixes two parties', () => {
    const merged = withInvoice(
      { supplier: { name: 'Marketplace', email: 'a@b.example' } },
      { supplier: { name: 'Seller GmbH' } },
    );
    expect(merged.supplier).toEqual({ name: 'Seller GmbH' });
  });

  it('never mixes two currencies', () => {
    const listed: Metadata = { currency: 'USD', amount: '130.00', amount_net: '110.00' };
    expect(withInvoice(listed, { currency: 'EUR', amount: '119.00' })).toEqual({ currency: 'EUR', amount: '119.00' });
    expect(withInvoice(listed, { currency: 'USD', amount: '119.00' })).toHaveProperty('amount_net', '110.00');
  });

  it('takes later payments from the listing', () => {
    const merged = withInvoice(
      { payment: { status: 'PAID', date: '2026-11-20', method: 'CARD' } },
      { payment: { status: 'PARTIAL', method: 'CREDIT_TRANSFER' } },
    );
    expect(merged.payment).toEqual({ status: 'PAID', date: '2026-11-20', method: 'CREDIT_TRANSFER' });
  });

  it('is that of the listing when the document has none', () => {
    expect(withoutProvenance(mergeMetadata({ number: '1', source: { kind: 'mail' } }, { metadata: {} }))).toEqual({
      number: '1',
      source: { kind: 'mail' },
    });
  });
});

describe('the merged metadata of listing and text', () => {
  it('fill the gaps of the listing', () => {
    const merged = withText(
      { number: 'listed', supplier: { name: 'Listed' } },
      { number: 'text', date: '2026-03-02', supplier: { name: 'Text GmbH' } },
    );
    expect(merged).toMatchObject({ number: 'listed', date: '2026-03-02', supplier: { name: 'Listed' } });
  });

  it('have no amounts of a text that contradicts the listing', () => {
    const text: Metadata = { amount: '119.00', amount_net: '100.00', amount_tax: '19.00', currency: 'EUR' };
    expect(withoutProvenance(withText({ amount: '120.00' }, text))).toEqual({ amount: '120.00' });
    expect(withoutProvenance(withText({ currency: 'USD' }, text))).toEqual({ currency: 'USD' });
    expect(withoutProvenance(withText({ amount: '119.00' }, text))).toEqual(text);
  });
});

describe('the provenance of metadata', () => {
  it('names for each key where it was found', () => {
    const mail: Metadata = { source: { kind: 'mail', path: 'INBOX' } };
    expect(withText(mail, { number: '1', date: '2026-03-02' }).provenance).toEqual({
      number: 'TEXT',
      date: 'TEXT',
      source: 'MAIL',
    });
    const listed: Metadata = { number: '1', due_date: '2026-03-16', source: { kind: 'accounting' } };
    expect(
      mergeMetadata(listed, { metadata: { number: '2', e_invoice: { format: 'UBL' } }, from: 'E_INVOICE' }).provenance,
    ).toEqual({
      number: 'E_INVOICE',
      e_invoice: 'E_INVOICE',
      due_date: 'PROVIDER',
      source: 'PROVIDER',
    });
    expect(withText(listed, { number: '1', date: '2026-03-02' }).provenance).toMatchObject({
      number: 'PROVIDER',
      date: 'TEXT',
    });
  });

  it('is absent without metadata, and does not name what the service determines itself', () => {
    expect(mergeMetadata({}, { metadata: {} })).toEqual({});
    expect(mergeMetadata({}, { metadata: { encrypted: true } })).toEqual({ encrypted: true });
  });
});
