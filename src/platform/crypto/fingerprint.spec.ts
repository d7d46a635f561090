import { fingerprint } from './fingerprint';

const KEY = Buffer.alloc(32, 1);
const of = (value: unknown, key = KEY, purpose = 'a') => fingerprint(key, purpose, value).toString('hex');

describe('a fingerprint', () => {
  it('does not depend on the order of members at any depth', () => {
    expect(of({ a: 1, b: { c: [1, { d: 2, e: 3 }], f: null } })).toBe(
      of({ b: { f: null, c: [1, { e: 3, d: 2 }] }, a: 1 }),
    );
  });

  const DIFFERENT: unknown[] = [
    undefined,
    '',
    'null',
    0,
    '0',
    false,
    [],
    [[]],
    {},
    [{}],
    { a: 1 },
    { a: '1' },
    { a: [1] },
    { a: 1, b: 2 },
    { a: { b: 2 } },
    ['a', 'b'],
    ['a,b'],
    ['b', 'a'],
    [['a'], 'b'],
    { 'a":1,"b': 2 },
    { a: {}, b: 2 },
  ];
  it('differs for different values', () => {
    const seen = new Set(DIFFERENT.map((value) => of(value)));
    expect(seen.size).toBe(DIFFERENT.length);
  });

  it('differs by key and by purpose', () => {
    expect(new Set([of(1), of(1, Buffer.alloc(32, 2)), of(1, KEY, 'b')]).size).toBe(3);
  });

  it('is calculated for the deepest possible body', () => {
    const depth = 500_000;
    const deep = JSON.parse('['.repeat(depth) + ']'.repeat(depth)) as unknown;
    expect(of(deep)).toHaveLength(64);
    expect(of([deep])).not.toBe(of(deep));
  });
});
