import { languageOf } from './language';

describe('The language', () => {
  it.each([
    [['tail', '--lang', 'de'], { LANG: 'en_US.UTF-8' }, 'en-US', 'de'],
    [['tail', '--lang=en'], { DOCFETCH_LANG: 'de' }, 'de-DE', 'en'],
    [['tail'], { DOCFETCH_LANG: 'de', LANG: 'en_US' }, 'en-US', 'de'],
    [['tail'], { LC_ALL: 'de_AT.UTF-8' }, 'en-US', 'de'],
    [['tail'], { LANG: 'C.UTF-8' }, 'de-DE', 'en'],
    [['tail'], {}, 'de-DE', 'de'],
    [['tail'], { LANG: 'default' }, 'de-DE', 'en'],
  ])('of %j with %j on a system in %s is %s', (args, env, system, expected) => {
    expect(languageOf(args, env, system)).toBe(expected);
  });
});
