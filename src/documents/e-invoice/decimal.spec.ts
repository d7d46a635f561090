import { formatDecimal, parseDecimal } from './decimal';

const normalized = (text: string) => {
  const value = parseDecimal(text);
  return value === undefined ? undefined : formatDecimal(value);
};

describe('decimal numbers', () => {
  it.each([
    ['1190', '1190.00'],
    ['1190.', '1190.00'],
    ['.5', '0.50'],
    ['+007.10', '7.10'],
    ['-0.005', '-0.005'],
    ['119.0000', '119.00'],
    ['1.19E3', '1190.00'],
    ['1.5e-3', '0.0015'],
    ['-0', '0.00'],
    ['999999999999999999.999999999999', '999999999999999999.999999999999'],
  ])('%s is written as %s', (text, plain) => expect(normalized(text)).toBe(plain));

  it.each([
    '',
    '.',
    '-',
    'e5',
    '1,190.00',
    '1.190,00',
    '1 190',
    '0x10',
    'NaN',
    'INF',
    '١٢',
    '1e',
    '1e999',
    '1000000000000000000',
    '0.0000000000001',
    '1'.repeat(50),
  ])('%s is not an amount', (text) => expect(parseDecimal(text)).toBeUndefined());

  it('are added exactly', () => {
    expect((parseDecimal('0.1') ?? 0n) + (parseDecimal('0.2') ?? 0n)).toBe(parseDecimal('0.3'));
  });
});
