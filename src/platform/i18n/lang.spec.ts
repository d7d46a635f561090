import { formatValue, type Lang, localize, negotiate } from './lang';

describe('the language of a response (decisions 1)', () => {
  it.each([
    // Lang decides …
    ['de', undefined, 'de'],
    ['DE', 'en', 'de'],
    ['en', 'de', 'en'],
    ['de-AT', 'en', 'de'],
    [' de ', undefined, 'de'],
    // … and an unknown one is English, regardless of other preferences …
    ['fr', 'de', 'en'],
    ['german', 'de', 'en'],
    ['<script>', undefined, 'en'],
    // … without it Accept-Language is tried, best first …
    [undefined, 'de', 'de'],
    ['', 'de', 'de'],
    [undefined, 'de-AT', 'de'],
    [undefined, 'de_CH', 'de'],
    [undefined, 'en-GB,de;q=0.9', 'en'],
    [undefined, 'en;q=0.4, de;q=0.8', 'de'],
    [undefined, 'fr-FR, fr;q=0.9, de;q=0.1', 'de'],
    [undefined, 'de;q=0, en;q=0.1', 'en'],
    [undefined, 'de;q=0', 'en'],
    [undefined, 'de;level=1;q=0.5,en;q=0.6', 'en'],
    // … then English.
    [undefined, 'fr', 'en'],
    [undefined, '*', 'en'],
    [undefined, 'fr, *;q=0.5', 'en'],
    [undefined, 'en;q=0, *', 'de'],
    [undefined, 'de;q=0.5, *', 'en'],
    [undefined, 'de, *;q=0.5', 'de'],
    [undefined, 'de;q=0, en;q=0, *', 'en'],
    [undefined, ';;;,,q=', 'en'],
    [undefined, undefined, 'en'],
  ])('for Lang %p and Accept-Language %p is %s', (lang, acceptLanguage, expected) => {
    expect(negotiate(lang, acceptLanguage)).toBe(expected);
  });

  it('selects the text, or uses the same text for every language', () => {
    expect(localize({ en: 'Folder', de: 'Ordner' }, 'de')).toBe('Ordner');
    expect(localize('INBOX', 'de')).toBe('INBOX');
    expect(localize({ en: 'Folder', de: 'Ordner' })).toBe('Folder'); // outside of a request
  });

  it.each<[number | string, Lang, string]>([
    [5, 'en', '5'],
    [2048, 'en', '2,048'],
    [2048, 'de', '2.048'],
    [1_048_576, 'de', '1.048.576'],
    [0.5, 'de', '0,5'],
    ['2026-11-20', 'en', '20 November 2026'],
    ['2026-11-20', 'de', '20. November 2026'],
    ['2026', 'de', '2026'],
    ['a, b', 'de', 'a, b'],
  ])('formats %p in %s as %s', (value, lang, expected) => {
    expect(formatValue(value, lang)).toBe(expected);
  });
});
