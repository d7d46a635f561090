import { constant, datetime, duration, each, onOff, origin, text, whole } from './parse';
import { UsageError } from './usage-error';

describe('An option that operators enter', () => {
  it('is parsed as intended', () => {
    expect(text('--name')('Acme')).toBe('Acme');
    expect(whole('--days', 0, 10)('0')).toBe(0);
    expect(whole('--days', 0, 10)('10')).toBe(10);
    expect(datetime('--since')('2027-01-01T01:00:00+01:00').toISOString()).toBe('2027-01-01T00:00:00.000Z');
    expect(datetime('--since')('2027-01-01').toISOString()).toBe('2027-01-01T00:00:00.000Z');
    expect(['30s', '15m', '2h', '1d'].map(duration('--expires', 86_400))).toEqual([30, 900, 7200, 86_400]);
    expect(origin('--origin')('https://App.Example:8443/')).toBe('https://app.example:8443');
    expect(origin('--origin')('http://localhost:8080')).toBe('http://localhost:8080');
    expect(constant('--kind', ['LIVE', 'TEST'])('live')).toBe('LIVE');
    expect(['on', 'off'].map(onOff('--x'))).toEqual([true, false]);
    expect(each(whole('--x', 0, 10))('2', [1])).toEqual([1, 2]);
  });

  it.each<[string, () => unknown]>([
    ['an empty text', () => text('--x')(' ')],
    ['a null character', () => text('--x')('a\0b')],
    ['a number that is too small', () => whole('--x', 5, 10)('4')],
    ['a number that is too large', () => whole('--x', 5, 10)('11')],
    ['a negative number', () => whole('--x', 0, 10)('-1')],
    ['a number in another notation', () => whole('--x', 0, 100)('1e1')],
    ['a fraction', () => whole('--x', 0, 10)('1.5')],
    ['no number', () => whole('--x', 0, 10)('')],
    ['a word for a time', () => datetime('--x')('yesterday')],
    ['a day that does not exist', () => datetime('--x')('2027-13-01')],
    ['a duration without a unit', () => duration('--x', 3600)('15')],
    ['no time at all', () => duration('--x', 3600)('0m')],
    ['a duration that is too long', () => duration('--x', 3600)('61m')],
    ['an origin with a path', () => origin('--x')('https://a.example/x')],
    ['an origin with a query', () => origin('--x')('https://a.example/?x')],
    ['an origin with credentials', () => origin('--x')('https://me@a.example')],
    ['an origin of another kind', () => origin('--x')('ftp://a.example')],
    ['a name without a scheme', () => origin('--x')('a.example')],
    ['an unknown value', () => constant('--x', ['LIVE', 'TEST'])('dead')],
    ['a value in the spelling of the API', () => constant('--x', ['LIVE', 'TEST'])('LIVE')],
  ])('is rejected with its name when it is %s', (_, parse) => {
    expect(parse).toThrow(UsageError);
    expect(parse).toThrow(/^--x must /);
  });
});
