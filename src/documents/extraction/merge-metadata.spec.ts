import { mergeMetadata } from './merge-metadata';
import type { Metadata } from '../metadata';

describe('the merged metadata of listing and document', () => {
  it('prefers the values of the document, except the source of the listing', () => {
    const fromSource: Metadata = {
      number: 'listing',
      amount: '1.00',
      due_date: '2026-01-01',
      source: { kind: 'mail' },
    };
    const fromContent: Metadata = { number: 'invoice', amount: '119.00', source: { kind: 'never' } };
    expect(mergeMetadata(fromSource, fromContent)).toEqual({
      number: 'invoice',
      amount: '119.00',
      due_date: '2026-01-01',
      source: { kind: 'mail' },
    });
    expect(fromSource.number).toBe('listing');
  });

  it('never mixes two parties', () => {
    const merged = mergeMetadata(
      { supplier: { name: 'Marketplace', email: 'a@b.example' } },
      { supplier: { name: 'Seller GmbH' } },
    );
    expect(merged.supplier).toEqual({ name: 'Seller GmbH' });
  });

  it('never mixes two currencies', () => {
    const listed: Metadata = { currency: 'USD', amount: '130.00', amount_net: '110.00' };
    expect(mergeMetadata(listed, { currency: 'EUR', amount: '119.00' })).toEqual({ currency: 'EUR', amount: '119.00' });
    expect(mergeMetadata(listed, { currency: 'USD', amount: '119.00' })).toHaveProperty('amount_net', '110.00');
  });

  it('takes later payments from the listing', () => {
    const merged = mergeMetadata(
      { payment: { status: 'PAID', date: '2026-11-20', method: 'CARD' } },
      { payment: { status: 'PARTIAL', method: 'CREDIT_TRANSFER' } },
    );
    expect(merged.payment).toEqual({ status: 'PAID', date: '2026-11-20', method: 'CREDIT_TRANSFER' });
  });

  it('is that of the listing when the document has none', () => {
    expect(mergeMetadata({ number: '1', source: { kind: 'mail' } }, {})).toEqual({
      number: '1',
      source: { kind: 'mail' },
    });
  });
});
