import type { DocumentType, Metadata } from '../../documents/metadata';
import { invoiceKeyOf } from './invoice-key';
import { isCopy } from './is-copy';

const INVOICE: Metadata = {
  number: 'RE-2026-17',
  date: '2026-03-01',
  amount: '1190.00',
  currency: 'EUR',
  supplier: { vat_id: 'DE123456788', iban: 'DE89370400440532013000' },
};
const key = (changes: Metadata = {}, type: DocumentType = 'invoice') => invoiceKeyOf(type, { ...INVOICE, ...changes });

describe('The key of an invoice', () => {
  it.each([
    [{ number: 're 2026–17' }, 'RE2026-17'],
    [{ number: ' RE-2026-17 ' }, 'RE-2026-17'],
    [{ number: 'RE‑2026‑１７' }, 'RE-2026-17'],
  ])('of the number in %j is that of %s', (changes, number) => {
    expect(key(changes)).toBe(key({ number }));
  });

  it('does not depend on how the amount is written, nor on who states the supplier', () => {
    expect(key({ amount: '1190' })).toBe(key());
    expect(key({ amount: '1190.000', currency: undefined, supplier: { iban: 'DE02120300000000202051' } })).toBe(key());
    expect(key()).toMatch(/^[\w-]{22}$/);
  });

  it.each([{ number: 'RE-2026-18' }, { number: 'RE-202617' }, { date: '2026-03-02' }, { amount: '1190.01' }])(
    'is another one with %j',
    (changes) => {
      expect(key(changes)).not.toBe(key());
    },
  );

  it.each([
    [{ number: undefined }],
    [{ number: ' ' }],
    [{ date: undefined }],
    [{ amount: undefined }],
    [{ amount: '1.190,00' }],
    [{ supplier: undefined }],
    [{ supplier: { name: 'Müller GmbH' } }],
    [{ supplier: { vat_id: ' ', iban: '-' } }],
  ])('does not exist with %j', (changes) => {
    expect(key(changes)).toBeNull();
  });

  it.each<DocumentType>(['reminder', 'delivery_note', 'order_confirmation', 'bank_statement', 'contract'])(
    'does not exist for a %s, which may state the number and amount of an invoice',
    (type) => {
      expect(key({}, type)).toBeNull();
    },
  );
});

describe('Documents with the same key', () => {
  interface Stated {
    readonly type?: DocumentType;
    readonly vat?: string;
    readonly iban?: string;
    readonly currency?: string;
    readonly connection?: string;
    readonly id?: string | null;
  }
  const document = ({ type = 'invoice', vat, iban, currency, connection = 'one', id = null }: Stated) => ({
    connectionUuid: connection,
    externalId: id,
    documentType: type,
    metadata: {
      ...(currency && { currency }),
      supplier: { ...(vat && { vat_id: vat }), ...(iban && { iban }) },
    },
  });

  it.each<[string, Stated, Stated]>([
    ['the same VAT id, however it is written', { vat: 'DE123456788' }, { vat: 'de 123 456 788' }],
    ['the same VAT id and other accounts', { vat: 'DE1', iban: 'DE89' }, { vat: 'DE1', iban: 'DE02' }],
    ['the same IBAN, and one VAT id', { vat: 'DE1', iban: 'DE89 3704' }, { iban: 'DE893704' }],
    ['a currency that only one states', { vat: 'DE1', currency: 'EUR' }, { vat: 'DE1' }],
    ['a type that is not known', { vat: 'DE1', type: 'credit_note' }, { vat: 'DE1', type: 'document' }],
    ['an invoice that a source calls a receipt', { vat: 'DE1' }, { vat: 'DE1', type: 'receipt' }],
    ['ids of two sources that happen to be equal', { vat: 'DE1', id: '1' }, { vat: 'DE1', id: '1', connection: 'two' }],
    ['several ids in one source', { vat: 'DE1', id: '1' }, { vat: 'DE1', id: '2' }],
  ])('are copies with %s', (_, one, other) => {
    expect(isCopy(document(one), document(other))).toBe(true);
    expect(isCopy(document(other), document(one))).toBe(true);
  });

  it.each<[string, Stated, Stated]>([
    ['other VAT ids, also with the same account', { vat: 'DE1', iban: 'DE89' }, { vat: 'DE2', iban: 'DE89' }],
    ['other accounts and one VAT id', { vat: 'DE1', iban: 'DE89' }, { iban: 'DE02' }],
    ['nothing in common to compare', { vat: 'DE1' }, { iban: 'DE89' }],
    ['other currencies', { vat: 'DE1', currency: 'EUR' }, { vat: 'DE1', currency: 'CHF' }],
    ['an invoice and its cancellation', { vat: 'DE1' }, { vat: 'DE1', type: 'credit_note' }],
    ['versions of one file', { vat: 'DE1', id: '1' }, { vat: 'DE1', id: '1' }],
  ])('are no copies with %s', (_, one, other) => {
    expect(isCopy(document(one), document(other))).toBe(false);
    expect(isCopy(document(other), document(one))).toBe(false);
  });
});
