import fc, { type Arbitrary } from 'fast-check';

/** The part of a schema that is needed to generate values that match it, or nearly. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly enum?: readonly unknown[];
  readonly example?: unknown;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly allOf?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
}

/** Names that every object has, or that change the nature of an object. */
const SPECIAL_NAMES = ['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty', 'then', '$where', ''];

/** Edge cases of text: empty, huge, control characters, half a surrogate pair, right-to-left, path and template tricks. */
export const fuzzText = (): Arbitrary<string> =>
  fc.oneof(
    fc.string({ unit: 'binary', maxLength: 40 }),
    fc.string({ unit: 'grapheme', maxLength: 40 }),
    fc.constantFrom(
      '',
      ' ',
      '\u0000',
      'a\u0000b',
      '\ud800',
      '\udfff\ud800',
      '\ufeff',
      '\u202egnp.exe',
      '../../etc/passwd',
      '$t(errors.title.internal)',
      '{label}',
      "'; drop table identity; --",
      '%00',
      '<script>alert(1)</script>',
      '0000-00-00',
      '2026-02-30',
      '99999-01-01T00:00:00Z',
      '1e999',
      'NaN',
      'null',
      'true',
      'http://[::1',
      'https://',
      'javascript:alert(1)',
      '$1',
      '\\u0000',
      'x'.repeat(300),
      'ä'.repeat(70_000),
    ),
  );

const fuzzNumber = (): Arbitrary<number> =>
  fc.oneof(
    fc.constantFrom(0, -0, -1, 1.5, 501, 2 ** 31, -(2 ** 31) - 1, 2 ** 53, 2 ** 63, 1e300, -1e300, 5e-324),
    fc.integer(),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
  );

/** Any JSON value, with a preference for edge cases. */
const fuzzValue = (): Arbitrary<unknown> =>
  fc.oneof(
    { weight: 4, arbitrary: fuzzText() },
    { weight: 2, arbitrary: fuzzNumber() },
    { weight: 2, arbitrary: fc.constantFrom(null, true, false, [], {}, [null], [[]], { a: {} }) },
    { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 4 }) },
    { weight: 1, arbitrary: fc.constantFrom(nested(50), nested(3000), new Array(2000).fill('x'), wide(2000)) },
    {
      weight: 1,
      arbitrary: fc.dictionary(fc.constantFrom(...SPECIAL_NAMES), fc.jsonValue({ maxDepth: 1 }), { maxKeys: 3 }),
    },
  );

function nested(depth: number): unknown {
  let value: unknown = 1;
  for (let level = 0; level < depth; level++) value = level % 2 ? [value] : { a: value };
  return value;
}

const wide = (size: number) => Object.fromEntries(Array.from({ length: size }, (_, n) => [`k${n}`, n]));

/** Values that mostly match a schema: single invalid values reach code that a fully invalid body never does. */
export function nearly(schema: Schema, resolve: (ref: string) => Schema, depth = 0): Arbitrary<unknown> {
  if (depth > 6) return fuzzValue();
  const fitting = fits(schema, resolve, depth);
  return fc.oneof({ weight: 6, arbitrary: fitting }, { weight: 1, arbitrary: fuzzValue() });
}

function fits(schema: Schema, resolve: (ref: string) => Schema, depth: number): Arbitrary<unknown> {
  if (schema.$ref) return nearly(resolve(schema.$ref), resolve, depth + 1);
  if (schema.enum) return fc.constantFrom(...schema.enum);
  const choice = schema.anyOf ?? schema.oneOf;
  if (choice) return fc.oneof(...choice.map((one) => fits(one, resolve, depth + 1)));
  if (schema.allOf?.length) return fits(schema.allOf[0]!, resolve, depth + 1);
  const examples = schema.example === undefined ? [] : [{ weight: 3, arbitrary: fc.constant(schema.example) }];
  return fc.oneof(...examples, { weight: 1, arbitrary: byType(schema, resolve, depth) });
}

function byType(schema: Schema, resolve: (ref: string) => Schema, depth: number): Arbitrary<unknown> {
  switch ([schema.type].flat()[0]) {
    case 'object':
      return anObject(schema, resolve, depth);
    case 'array':
      return fc.array(nearly(schema.items ?? {}, resolve, depth + 1), { maxLength: 4 });
    case 'integer':
      return fc.integer({ min: -2, max: 1000 });
    case 'number':
      return fuzzNumber();
    case 'boolean':
      return fc.boolean();
    case 'null':
      return fc.constant(null);
    case 'string':
      return aString(schema.format);
    default:
      return fuzzValue();
  }
}

function anObject(schema: Schema, resolve: (ref: string) => Schema, depth: number): Arbitrary<unknown> {
  const members = Object.entries(schema.properties ?? {}).map(
    ([name, member]) => [name, nearly(member, resolve, depth + 1)] as const,
  );
  const known = fc.record(Object.fromEntries(members), { requiredKeys: [] });
  const whole = fc.record(Object.fromEntries(members));
  const more = fc.dictionary(fc.oneof(fc.constantFrom(...SPECIAL_NAMES), fuzzText()), fuzzValue(), {
    maxKeys: 2,
  });
  return fc.oneof(
    { weight: 4, arbitrary: whole },
    { weight: 2, arbitrary: known },
    {
      weight: 1,
      arbitrary: fc.tuple(whole, more).map(([one, other]) => Object.assign(Object.create(null), one, other)),
    },
  );
}

function aString(format?: string): Arbitrary<string> {
  switch (format) {
    case 'uuid':
      return fc.uuid();
    case 'date':
      return fc.date({ noInvalidDate: true }).map((date) => date.toISOString().slice(0, 10));
    case 'date-time':
      return fc.date({ noInvalidDate: true }).map((date) => date.toISOString());
    case 'uri':
    case 'url':
      return fc.webUrl({ withQueryParameters: true, withFragments: true });
    default:
      return fc.string({ maxLength: 20 });
  }
}

/** The text of a body: mostly JSON, sometimes JSON that no serializer would write, sometimes no JSON. */
export function bodyText(value: Arbitrary<unknown>): Arbitrary<string> {
  return fc.oneof(
    { weight: 8, arbitrary: value.map((json) => JSON.stringify(json) ?? '') },
    {
      weight: 1,
      arbitrary: fc
        .tuple(value, fuzzValue())
        .map(([one, other]) => twice(JSON.stringify(one) ?? '{}', JSON.stringify(other) ?? '1')),
    },
    {
      weight: 1,
      arbitrary: fc.constantFrom(
        '',
        '{',
        '{"a":}',
        '\u0000',
        '\ufeff{}',
        '[]',
        'null',
        '"text"',
        '1e999',
        '{"__proto__":{"polluted":true}}',
        '{"constructor":{"prototype":{"polluted":true}}}',
        `${'['.repeat(100_000)}`,
        `${'['.repeat(20_000)}${']'.repeat(20_000)}`,
        `{"metadata":{"__proto__":{"polluted":true}},"fields":{"__proto__":{"polluted":true},"constructor":{"prototype":{}}}}`,
        `{"name":"${'x'.repeat(1_100_000)}"}`,
      ),
    },
  );
}

/** Repeats every member with another value. */
function twice(object: string, other: string): string {
  const parsed: unknown = JSON.parse(object);
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) return `{"a":${object},"a":${other}}`;
  const members = Object.entries(parsed).flatMap(([name, value]) => {
    const key = JSON.stringify(name);
    return [`${key}:${JSON.stringify(value) ?? 'null'}`, `${key}:${other}`];
  });
  return `{${members.join(',')}}`;
}
