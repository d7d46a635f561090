import { readPage } from '../../../../test/builders/plain-invoices/text-page';

describe('the number of an invoice', () => {
  it.each([
    ['Handelsrechnung (380) Nr. 4711 vom 02.03.2026'],
    ['Rechnung des Versicherers Nr. 4711'],
    ['Rechnung', 'Faktura-Nr.: 4711'],
    ['Invoice', 'Inv. No. | 4711'],
    ['Rechnung', 'Nr. 4711'],
  ])('is in %s %s', async (...lines) => {
    expect(await readPage(...lines)).toMatchObject({ number: '4711' });
  });

  it.each(['Nr. 5 von 7', 'Kunden-Nr. 4711', 'Filiale Nr. 5'])('is not in %s below the title', async (below) => {
    expect(await readPage('Rechnung', below)).not.toHaveProperty('number');
  });
});

it('does not take the number in a payment reference for that of the invoice', async () => {
  const reference = 'Zahlungsreferenz: | Kundennummer 12 Rechnungsnummer 99';
  expect(await readPage('Rechnung', reference)).not.toHaveProperty('number');
  expect(await readPage('Rechnung Nr. 4711', reference)).toMatchObject({ number: '4711' });
});

describe('the date of an invoice', () => {
  it.each([
    ['Handelsrechnung (380) Nr. 4711 vom 02.03.2026 - RECHNUNG'],
    ['Rechnung des Versicherers Nr. 4711 vom', '02.03.2026'],
    ['Rechnung', 'Rechnungs- und Lieferdatum: 02.03.2026'],
    ['Rechnung', 'Rechnungsdatum = Leistungsdatum: 02.03.2026'],
    ['Rechnung', 'vom 02.03.2026'],
    ['Invoice 4711', 'March 2, 2026'],
  ])('is in %s %s', async (...lines) => {
    expect(await readPage(...lines)).toMatchObject({ date: '2026-03-02' });
  });

  it.each(['02.03.2026 - 08.03.2026', 'Leistung am 02.03.2026'])('is not %s below the title', async (below) => {
    expect(await readPage('Rechnung', below)).not.toHaveProperty('date');
  });

  it('is the labelled one, not the one below the title', async () => {
    expect(await readPage('Rechnung', '05.03.2026', 'Rechnungsdatum: 02.03.2026')).toMatchObject({
      date: '2026-03-02',
    });
  });

  it('is read without a due date before it only when its label names the invoice', async () => {
    const due = 'Fällig am: 01.03.2026';
    expect(await readPage('Rechnung', 'Rechnungsdatum: 02.03.2026', due)).toEqual({ date: '2026-03-02' });
    expect(await readPage('Rechnung', 'Datum: 02.03.2026', due)).toEqual({});
  });

  it('is not read from the text below the title of an account statement', async () => {
    expect(await readPage('Kontoauszug', '02.03.2026')).toEqual({});
  });
});

describe('the due date of an invoice', () => {
  it('is the day after "zahlbar zum" and after "ohne Abschlag"', async () => {
    const invoice = ['Rechnung', 'Rechnungsdatum: 02.03.2026'];
    for (const line of ['Die Rechnung ist zahlbar zum 16.03.2026 rein netto.', 'Zahlbar bis 16.03.2026 ohne Abschlag'])
      expect(await readPage(...invoice, line)).toMatchObject({ due_date: '2026-03-16' });
  });

  it('is not the day of a discount, whose word is beside the value and not beside its label', async () => {
    const table = ['Bedingung | Fälligkeit', 'mit 2 Prozent Skonto | 09.03.2026'];
    expect(await readPage('Rechnung', 'Rechnungsdatum: 02.03.2026', ...table)).toEqual({ date: '2026-03-02' });
  });
});

describe('the name of the supplier', () => {
  const buyer = ['Käufer', 'Name: | Kunde GmbH'];

  it('is in the block of values below the heading of the seller', async () => {
    const seller = ['Verkäufer', 'Nummer: | 4711', 'Name: | HOLZBAU GMBH', 'Anschrift: | Waldweg 1'];
    expect(await readPage('Rechnung', ...seller, ...buyer)).toMatchObject({ supplier: { name: 'HOLZBAU GMBH' } });
  });

  it('is not in the block of the buyer, also at the end of the page', async () => {
    const text = Array.from({ length: 34 }, (_, at) => `Zeile ${at + 1}`);
    const twice = ['Lieferadresse', 'Kunde GmbH'];
    expect(await readPage('Rechnung', ...twice, ...text, ...buyer)).not.toHaveProperty('supplier');
  });

  it('is not that of the account, which can be another company', async () => {
    const account = ['Kontoinhaber: | Inkassobüro Meyer GmbH', 'Zahlung an', 'Inkassobüro Meyer GmbH'];
    expect(await readPage('Rechnung', ...account)).not.toHaveProperty('supplier');
  });

  it('stays empty when the heading and the footer name different ones', async () => {
    const text = Array.from({ length: 40 }, (_, at) => `Zeile ${at + 1}`);
    const lines = ['Rechnung', 'Lieferant', 'Holzbau GmbH', ...text];
    expect(await readPage(...lines, 'Holzbau GmbH')).toMatchObject({ supplier: { name: 'Holzbau GmbH' } });
    expect(await readPage(...lines, 'Steinbau GmbH')).not.toHaveProperty('supplier');
  });
});
