import { formatDecimal } from '../../e-invoice/decimal';
import { currenciesIn, moneyIn } from './money';

const written = (text: string) => moneyIn(text).map(({ value, currency }) => [formatDecimal(value), currency]);

describe('an amount in a document', () => {
  it.each([
    ['1.190,00 €', '1190.00', 'EUR'],
    ['€1,190.00', '1190.00', 'EUR'],
    ['EUR 1190,00', '1190.00', 'EUR'],
    ["1'190.00 CHF", '1190.00', 'CHF'],
    ['1 234 190,00', '1234190.00', undefined],
    ['£0.99', '0.99', 'GBP'],
    ['US$ 12.50', '12.50', 'USD'],
    ['$12.50', '12.50', undefined],
    ['-119,00 €', '-119.00', 'EUR'],
    ['119,00- EUR', '-119.00', 'EUR'],
    ['- 119,00', '-119.00', undefined],
    ['€ -119.00', '-119.00', 'EUR'],
  ])('%s is read with its sign and currency', (text, value, currency) => {
    expect(written(text)).toEqual([[value, currency]]);
  });

  it.each(['19,00 %', '02.03.2026', '1,5', '12.345', '1.190', '1,190,00', 'R1.190,00', '12:30', '1.2.3,00', '10/2,00'])(
    '%s is not an amount',
    (text) => {
      expect(written(text)).toEqual([]);
    },
  );

  it('is found several times in a line', () => {
    expect(written('19 % auf 100,00 € 19,00 €')).toEqual([
      ['100.00', 'EUR'],
      ['19.00', 'EUR'],
    ]);
  });
});

it('currencies are found as codes, words and unambiguous symbols', () => {
  expect([...currenciesIn('Betrag in EUR (Euro, €), also USD; not $, EUROPA or Sfrank')]).toEqual(['EUR', 'USD']);
});
