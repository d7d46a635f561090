import { readPage } from '../../../../test/builders/plain-invoices/text-page';

const INVOICE = ['Rechnung', 'Rechnungsnummer: R-1'];
const amounts = (amount: string, amount_net: string, amount_tax: string) => ({ amount, amount_net, amount_tax });

describe('the totals of an invoice', () => {
  it('can be proven by a table of taxes whose rates have no sign', async () => {
    const metadata = await readPage(
      ...INVOICE,
      'Steuer | Basisbetrag | Satz | Steuerbetrag',
      'Umsatzsteuer (S) | 200,00 | 19 | 38,00',
      'Umsatzsteuer (S) | 100,00 | 7 | 7,00',
      'Summe ohne USt. | 300,00',
      'Bruttosumme | 345,00',
    );
    expect(metadata).toMatchObject(amounts('345.00', '300.00', '45.00'));
  });

  it('are proven by one table of taxes, wherever else the tax is named', async () => {
    const metadata = await readPage(
      ...INVOICE,
      'USt. auf Vorleistungen | 5,00 | 19 | 0,95',
      'Zeile 1',
      'Zeile 2',
      'Zeile 3',
      'Zeile 4',
      'USt. 19 % | 200,00 | 38,00',
      'USt. 7 % | 100,00 | 7,00',
      'Nettobetrag | 300,00',
      'Gesamtbetrag | 345,00',
    );
    expect(metadata).toMatchObject(amounts('345.00', '300.00', '45.00'));
  });

  it('do not mistake discounts, whose rate is named beside them, for taxes', async () => {
    const metadata = await readPage(
      ...INVOICE,
      'Positionssumme | 110,00',
      'Rabatt auf Waren | 19 % USt. | -10,00',
      'Frachtkosten | 19 % USt. | 4,00',
      'Rechnungssumme ohne USt. | 104,00',
      'Umsatzsteuer 19 % | 19,76',
      'Bruttosumme | 123,76',
    );
    expect(metadata).toMatchObject(amounts('123.76', '104.00', '19.76'));
  });

  it('are not proven by taxes of different signs', async () => {
    const taxes = ['USt. 19 % | 30,00', 'USt. 7 % | -11,00'];
    expect(await readPage(...INVOICE, 'Netto | 100,00', ...taxes, 'Brutto | 119,00')).not.toHaveProperty('amount');
  });

  it('do not mistake a quantity for the rate of a tax', async () => {
    const metadata = await readPage(
      ...INVOICE,
      'Steuer-Software | 30,00 | 9 | 270,00',
      'Nettobetrag | 270,00',
      'USt. 19 % | 38,00',
      'USt. 7 % | 4,90',
      'Gesamtbetrag | 312,90',
    );
    expect(metadata).toMatchObject(amounts('312.90', '270.00', '42.90'));
  });

  it('do not include the work of a tax adviser among the taxes', async () => {
    const items = ['Steuerberatung | 19,00 | 19,00', 'Nettobetrag | 100,00', 'Gesamtbetrag | 119,00'];
    expect(await readPage(...INVOICE, ...items)).not.toHaveProperty('amount');
  });

  it('have labels that are read although kerning looks like a space in them', async () => {
    const metadata = await readPage(...INVOICE, 'Netto | 100,00', 'Umsatzsteuer 19 % | 19,00', 'Br uttosumme | 119,00');
    expect(metadata).toMatchObject(amounts('119.00', '100.00', '19.00'));
  });

  it('without a net amount are proven by the tax that the total contains', async () => {
    const lines = ['Gesamtbetrag | 119,00 €', 'Enthaltene MwSt. 19 % | 19,00 €'];
    expect(await readPage(...INVOICE, ...lines)).toMatchObject(amounts('119.00', '100.00', '19.00'));
  });

  it.each([
    [['Gesamtbetrag | 119,00 €', 'Enthaltene MwSt. 19 % | 18,90 €'], 'the tax is not that of the rate'],
    [['Gesamtbetrag | 119,00 €', 'Enthaltene MwSt. | 19,00 €'], 'no rate is stated'],
    [['Summe | 119,00 €', 'Gesamtbetrag | 150,00 €', 'Enthaltene MwSt. 19 % | 19,00 €'], 'there are two totals'],
  ])('%j prove nothing, because %s', async (lines) => {
    expect(await readPage(...INVOICE, ...lines)).not.toHaveProperty('amount');
  });

  it('without tax do not depend on surcharges, and on what is still to be paid', async () => {
    const metadata = await readPage(
      ...INVOICE,
      'Gesamtbetrag der Zuschläge | 0,00',
      'Gesamtbetrag netto | 119,00',
      'Gesamtbetrag brutto | 119,00',
      'Offener Betrag | 0,00',
      'Gemäß § 19 UStG wird keine Umsatzsteuer berechnet.',
    );
    expect(metadata).toMatchObject({ amount: '119.00' });
  });

  it('are in the labelled currency, where the document names another one, too', async () => {
    const lines = ['Währung: | GBP', 'Netto | 100,00', 'USt. 19 % | 19,00', 'Brutto | 119,00'];
    expect(await readPage(...INVOICE, ...lines, 'Buchungskurs 1,12 EUR')).toMatchObject({ currency: 'GBP' });
  });
});
