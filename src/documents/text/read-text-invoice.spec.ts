import { pdfInvoice } from '../../../test/builders/invoice-documents';
import { decimal } from '../../../test/builders/invoice-data';
import { LAYOUTS } from '../../../test/builders/plain-invoices/layouts';
import { NOTATIONS } from '../../../test/builders/plain-invoices/notation';
import { Pen } from '../../../test/builders/plain-invoices/pen';
import { randomInvoice, randomNumbers } from '../../../test/builders/plain-invoices/random-invoice';
import { page, read, readPage } from '../../../test/builders/plain-invoices/text-page';

const INVOICE = ['Rechnung', 'Rechnungsnummer: R-1', 'Datum: 02.03.2026'];
const TOTALS = ['Nettobetrag | 100,00 €', 'MwSt. 19 % | 19,00 €', 'Gesamtbetrag | 119,00 €'];

describe('the text of an invoice', () => {
  it.each(Object.keys(LAYOUTS))('in the layout %s proves its number, dates, amounts and supplier', async (layout) => {
    const random = randomNumbers(7);
    for (const notation of NOTATIONS) {
      const invoice = randomInvoice(random);
      const { supplier } = invoice;
      expect(await read(await LAYOUTS[layout]!(invoice, notation))).toEqual({
        documentType: 'invoice',
        metadata: {
          number: invoice.number,
          date: invoice.date,
          due_date: invoice.dueDate,
          amount: decimal(invoice.gross),
          amount_net: decimal(invoice.net),
          amount_tax: decimal(invoice.tax),
          currency: invoice.currency,
          supplier: { name: supplier.name, vat_id: supplier.vatId, iban: supplier.iban },
        },
      });
    }
  });

  it('tells a credit note from an invoice', async () => {
    const { documentType, metadata } = (await read(await pdfInvoice({ type: 381, precedingInvoice: 'R-1' })))!;
    expect(documentType).toBe('credit_note');
    expect(metadata).toMatchObject({ number: 'R-2026-0001', amount: '1190.00' });
  });

  it('has positive amounts when a credit note writes them with a minus', async () => {
    expect(
      await readPage('Gutschrift', 'Netto | -100,00 EUR', 'MwSt 19% | -19,00 EUR', 'Gesamtbetrag | -119,00 EUR'),
    ).toMatchObject({ amount: '119.00', amount_net: '100.00', amount_tax: '19.00', currency: 'EUR' });
  });

  it('without tax has an amount only when it says why', async () => {
    expect(await readPage(...INVOICE, 'Rechnungsbetrag | 119,00 €')).not.toHaveProperty('amount');
    const reason = 'Gemäß § 19 UStG wird keine Umsatzsteuer berechnet.';
    expect(await readPage(...INVOICE, 'Rechnungsbetrag | 119,00 €', reason)).toMatchObject({ amount: '119.00' });
  });
});

describe('what the text of a document does not prove stays empty:', () => {
  it('totals that do not add up', async () => {
    const metadata = await readPage(
      ...INVOICE,
      'Nettobetrag | 100,00 €',
      'MwSt. 19 % | 19,00 €',
      'Gesamtbetrag | 120,00 €',
    );
    expect(metadata).toEqual({ number: 'R-1', date: '2026-03-02' });
  });

  it('totals that add up with another rate than the one stated', async () => {
    const metadata = await readPage(
      ...INVOICE,
      'Nettobetrag | 100,00 €',
      'MwSt. 19 % | 7,00 €',
      'Gesamtbetrag | 107,00 €',
    );
    expect(metadata).not.toHaveProperty('amount');
  });

  it('two different totals, each of which adds up', async () => {
    const other = ['Nettobetrag | 200,00 €', 'MwSt. 19 % | 38,00 €', 'Gesamtbetrag | 238,00 €'];
    expect(await readPage(...INVOICE, ...TOTALS, ...other)).not.toHaveProperty('amount');
    expect(await readPage(...INVOICE, ...TOTALS)).toMatchObject({ amount: '119.00' });
  });

  it('totals in two currencies', async () => {
    const mixed = ['Nettobetrag | 100,00 €', 'MwSt. 19 % | 19,00 €', 'Gesamtbetrag | 119,00 USD'];
    expect(await readPage(...INVOICE, ...mixed)).not.toHaveProperty('amount');
  });

  it('contradictory numbers and dates', async () => {
    const metadata = await readPage(...INVOICE, 'Rechnungsnummer: R-2', 'Datum: 03.03.2026', ...TOTALS);
    expect(metadata).toEqual({ amount: '119.00', amount_net: '100.00', amount_tax: '19.00', currency: 'EUR' });
  });

  it('a due date before the date, and both with it', async () => {
    expect(await readPage(...INVOICE, 'Fällig am: 01.03.2026')).toEqual({ number: 'R-1' });
  });

  it('a date by which a discount is granted', async () => {
    expect(await readPage(...INVOICE, 'Zahlbar bis 10.03.2026 mit 2 % Skonto')).not.toHaveProperty('due_date');
  });

  it('the number of the invoice that a credit note refers to', async () => {
    expect(await readPage('Gutschrift', 'zu Rechnung Nr. R-7', 'Datum: 02.03.2026')).toEqual({ date: '2026-03-02' });
  });

  it('numbers whose check digits are wrong', async () => {
    const wrong = ['USt-IdNr. DE136695977', 'IBAN DE89 3704 0044 0532 0130 01'];
    expect(await readPage(...INVOICE, ...wrong)).not.toHaveProperty('supplier');
    const right = ['USt-IdNr. DE136695976', 'IBAN DE89 3704 0044 0532 0130 00'];
    expect(await readPage(...INVOICE, ...right)).toMatchObject({
      supplier: { vat_id: 'DE136695976', iban: 'DE89370400440532013000' },
    });
  });

  it('whose VAT identification number it is, when two are not told apart', async () => {
    const [one, other] = ['USt-IdNr. DE136695976', 'USt-IdNr. ATU13585627'];
    expect(await readPage(...INVOICE, one, other)).not.toHaveProperty('supplier');
    expect(await readPage(...INVOICE, one, 'Ihre USt-IdNr. ATU13585627')).toMatchObject({
      supplier: { vat_id: 'DE136695976' },
      customer: { vat_id: 'ATU13585627' },
    });
  });

  it('the account that is debited', async () => {
    const debit = 'Wir buchen den Betrag per Lastschrift von Ihrem Konto DE89 3704 0044 0532 0130 00 ab.';
    expect(await readPage(...INVOICE, debit)).not.toHaveProperty('supplier');
  });

  it('everything of an offer, a pro-forma invoice and a letter', async () => {
    const rest = ['Nummer: 12', 'Datum: 02.03.2026', ...TOTALS];
    for (const title of ['Angebot', 'Proforma-Rechnung', 'Rechnung / Lieferschein', 'Sehr geehrte Frau Sommer,'])
      expect([title, await readPage(title, ...rest)]).toEqual([title, undefined]);
  });
});

describe('text that is not read:', () => {
  it('of a scan, because it comes from character recognition', async () => {
    const bytes = await page(...INVOICE, ...TOTALS);
    const scan = Buffer.from(bytes.toString('latin1').replace('(Docfetch samples)', '(Tesseract 5.3.00)'), 'latin1');
    expect(scan.equals(bytes)).toBe(false);
    expect(await read(scan)).toBeUndefined();
    expect(await read(bytes)).toBeDefined();
  });

  it('of a document with more than 30 pages', async () => {
    const pen = new Pen();
    pen.write('Rechnung', 56, 80, { size: 16 });
    for (let count = 1; count < 31; count++) pen.nextPage();
    expect(await read(await pen.pdf())).toBeUndefined();
  });

  it('of a document without text', async () => {
    expect(await read(await new Pen().pdf())).toBeUndefined();
  });
});
