import { formatNumber, isNumberInput, parseNumber } from './number-text';

describe('a typed number', () => {
  it.each([
    ['993', 993, 993],
    [' 12 ', 12, 12],
    ['-5', -5, -5],
    ['1.5', 1.5, 1.5],
    ['1,5', 1.5, 1.5],
    ['7,', 7, 7],
    [',5', 0.5, 0.5],
    ['1.000', 1, 1000],
    ['1,000', 1000, 1],
    ['1.000.000', undefined, 1_000_000],
    ['1,234.5', 1234.5, undefined],
    ['1.234,5', undefined, 1234.5],
  ])('%j is %s in English, and %s in German', (text, english, german) => {
    expect([parseNumber(text, 'en'), parseNumber(text, 'de')]).toEqual([english, german]);
  });

  it.each(['', ' ', '-', '.', ',', '1,2,3', '1-2', '--1'])('%j is none', (text) => {
    expect([parseNumber(text, 'en'), parseNumber(text, 'de')]).toEqual([undefined, undefined]);
  });

  it('can only contain digits, separators and a sign', () => {
    expect(['', '-', '1.', '1,000', ' 25'].map(isNumberInput)).toEqual([true, true, true, true, true]);
    expect(['a', '1e5', '1 000', '+1', '1-'].map(isNumberInput)).toEqual([false, false, false, false, false]);
  });

  it.each([0, 993, -1.5, 0.25, 10_000])('%d is the same after it has been shown', (value) => {
    for (const lang of ['en', 'de'] as const) expect(parseNumber(formatNumber(value, lang), lang)).toBe(value);
    expect(formatNumber(0.25, 'de')).toBe('0,25');
  });
});
