import { Pen } from '../../../../test/builders/plain-invoices/pen';
import { page, read } from '../../../../test/builders/plain-invoices/text-page';

describe('the title of a document', () => {
  it.each([
    ['Rechnung', 'invoice'],
    ['R E C H N U N G', 'invoice'],
    ['Rechnung Nr. 2026-17 vom 02.03.2026', 'invoice'],
    ['Abschlagsrechnung', 'invoice'],
    ['Tax Invoice', 'invoice'],
    ['Gutschrift', 'credit_note'],
    ['Stornorechnung', 'credit_note'],
    ['Credit Note CN-12', 'credit_note'],
    ['2. Mahnung', 'reminder'],
    ['Zahlungserinnerung', 'reminder'],
    ['Kontoauszug 3/2026', 'bank_statement'],
    ['Lieferschein', 'delivery_note'],
    ['Auftragsbestätigung', 'order_confirmation'],
    ['Order confirmation', 'order_confirmation'],
    ['Quittung', 'receipt'],
    ['Mietvertrag', 'contract'],
  ])('%s makes it a(n) %s', async (title, documentType) => {
    expect(await read(await page(title, 'Musterstraße 1', 'Ein Satz, der nichts beweist.'))).toMatchObject({
      documentType,
    });
  });

  it.each(['Rechnungswesen heute', 'Unsere Rechnung ist noch offen', 'Rechnungskorrektur', 'Bestellung 4711'])(
    '%s says nothing',
    async (title) => {
      expect(await read(await page(title, 'Musterstraße 1'))).toBeUndefined();
    },
  );

  it('does not count among other text of its size', async () => {
    expect(await read(await page('Kontobewegungen', 'Gutschrift | 119,00', 'Lastschrift | 20,00'))).toBeUndefined();
  });

  it('does not count where a second one contradicts it', async () => {
    expect(await read(await page('Sehr geehrte Damen und Herren', 'Rechnung', 'Mahnung'))).toBeUndefined();
  });

  it('makes no credit note of a self-billed invoice', async () => {
    expect(await read(await page('Gutschrift', 'Abrechnung im Gutschriftsverfahren'))).toBeUndefined();
  });

  it.each([
    ['Handelsrechnung (380) Nr. 4711 vom 02.03.2026 - RECHNUNG', 'invoice'],
    ['Rechnung des Versicherers Nr. 12.345-1 vom 02.03.2026', 'invoice'],
    ['Teilrechnung Bau (875) Nr. 4711', 'invoice'],
    ['Rechnung (Zweitschrift) Nr. 4711', 'invoice'],
  ])('can say more before its number, and repeat itself: %s', async (title, documentType) => {
    expect(await read(await page(title, 'Musterstraße 1', 'Ein Satz, der nichts beweist.'))).toMatchObject({
      documentType,
    });
  });

  it('is no label, however large its text is', async () => {
    const fine = Array.from({ length: 30 }, (_, at) => `Text in kleiner Schrift, Zeile ${at + 1}`);
    const pen = new Pen();
    pen.write('Rechnung Nr. 4711', 56, 60, { size: 9 });
    pen.write('Lieferschein:', 56, 80, { size: 9 });
    pen.write('L-17', 300, 80, { size: 9 });
    pen.lines(fine, 56, 120, { size: 6 });
    expect(await read(await pen.pdf())).toEqual({ documentType: 'invoice', metadata: { number: '4711' } });
  });

  it('makes a credit note of a correction only when its total is negative', async () => {
    const totals = (sign: string) => [
      `Netto | ${sign}100,00 EUR`,
      `MwSt 19% | ${sign}19,00 EUR`,
      `Brutto | ${sign}119,00 EUR`,
    ];
    const title = 'Rechnungskorrektur Nr. K-17 vom 02.03.2026';
    const metadata = { number: 'K-17', date: '2026-03-02', amount: '119.00' };
    expect(await read(await page(title, ...totals('-')))).toMatchObject({ documentType: 'credit_note', metadata });
    const positive = await read(await page(title, ...totals('')));
    expect(positive).toMatchObject({ metadata });
    expect(positive).not.toHaveProperty('documentType');
  });

  it('leaves open what a self-billed invoice is and whose it is', async () => {
    const proven = await read(
      await page(
        'Gutschrift (selbst ausgestellte Rechnung) Nr. G-17',
        'vom 02.03.2026',
        'USt-IdNr. DE136695976',
        'Netto | 100,00 EUR',
        'MwSt 19% | 19,00 EUR',
        'Brutto | 119,00 EUR',
      ),
    );
    const amounts = { amount: '119.00', amount_net: '100.00', amount_tax: '19.00', currency: 'EUR' };
    expect(proven).toEqual({ metadata: { number: 'G-17', date: '2026-03-02', ...amounts } });
  });
});
