import { pauseAfter, retryAfter } from './retry-after';

const NOW = new Date('2026-11-20T12:00:00Z');

describe('retryAfter', () => {
  it.each<[string | string[] | null | undefined, number | null]>([
    [undefined, null],
    ['0', 0],
    ['120', 120],
    ['Fri, 20 Nov 2026 12:01:30 GMT', 90],
    ['Fri, 20 Nov 2026 11:00:00 GMT', 0],
    ['soon', null],
    ['', null],
    ['-5', null],
    ['1.5', 1.5],
    [' 7 ', 7],
    [null, null],
    ['99999999999999999999', null],
    [['30', '60'], 30],
  ])('%p is %p seconds (RFC 9110 10.2.3)', (header, seconds) => {
    expect(retryAfter(header, NOW)).toBe(seconds);
  });
});

describe('pauseAfter', () => {
  it.each([
    ['7', 7],
    ['0', 1],
    ['1.5', 2],
    ['Fri, 20 Nov 2026 12:00:30 GMT', 30],
    ['Fri, 20 Nov 2026 11:00:00 GMT', 1],
    ['soon', 42],
    ['-5', 42],
    [undefined, 42],
  ])('%p is a pause of %p seconds', (header, seconds) => {
    expect(pauseAfter(header, NOW, 42)).toBe(seconds);
  });
});
