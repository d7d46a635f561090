import type { FieldSpec } from './field';
import { isVisible, validateFields } from './validate-fields';

const label = { en: 'Label', de: 'Bezeichnung' };
const field = (more: Partial<FieldSpec> & Pick<FieldSpec, 'type'>): FieldSpec => ({
  id: 'f',
  label,
  required: false,
  ...more,
});
const check = (spec: FieldSpec, value: unknown) => {
  const { values, invalidFields } = validateFields([spec], { f: value });
  return invalidFields.length > 0 ? invalidFields.map(({ code }) => code) : values.f;
};

describe('validateFields (decisions 4 "Field")', () => {
  it('reports all missing, invalid and unknown fields together', () => {
    const fields = [
      field({ type: 'text', id: 'user', required: true }),
      field({ type: 'number', id: 'port' }),
      field({ type: 'date', id: 'startdate' }),
    ];
    const { invalidFields } = validateFields(fields, { port: 'x', startdate: '20.11.2026', hots: 1, toString: 1 });
    expect(invalidFields.map(({ field: path, code }) => [path, code])).toEqual([
      ['fields.hots', 'UNKNOWN_PROPERTY'],
      ['fields.toString', 'UNKNOWN_PROPERTY'],
      ['fields.user', 'REQUIRED'],
      ['fields.port', 'INVALID_TYPE_NUMBER'],
      ['fields.startdate', 'INVALID_DATE'],
    ]);
    expect(invalidFields[2]!.params).toEqual({ label });
  });

  it.each([
    ['text', ' a ', 'a'],
    ['text', 'x'.repeat(4096), 'x'.repeat(4096)],
    ['text', 'x'.repeat(4097), ['TOO_LONG']],
    ['text', 7, ['INVALID_TYPE_STRING']],
    ['text', 'a\0b', ['INVALID_FORMAT']],
    ['text', '\ud800', ['INVALID_FORMAT']],
    ['text', '🏢', '🏢'],
    ['password', ' a ', ' a '],
    ['password', '   ', '   '],
    ['email', 'info@example.com', 'info@example.com'],
    ['email', 'info@example', ['INVALID_EMAIL']],
    ['email', 'info example.com', ['INVALID_EMAIL']],
    ['url', 'https://example.com/dav', 'https://example.com/dav'],
    ['url', 'ftp://example.com', ['INVALID_URL']],
    ['url', 'javascript:alert(1)', ['INVALID_URL']],
    ['url', 'example.com', ['INVALID_URL']],
    ['number', 0, 0],
    ['number', 1.5, 1.5],
    ['number', '1', ['INVALID_TYPE_NUMBER']],
    ['number', Number.NaN, ['INVALID_TYPE_NUMBER']],
    ['number', Number.POSITIVE_INFINITY, ['INVALID_TYPE_NUMBER']],
    ['boolean', false, false],
    ['boolean', 'true', ['INVALID_TYPE_BOOLEAN']],
    ['boolean', 1, ['INVALID_TYPE_BOOLEAN']],
    ['date', '2026-02-28', '2026-02-28'],
    ['date', '2028-02-29', '2028-02-29'],
    ['date', '2026-02-29', ['INVALID_DATE']],
    ['date', '2026-2-1', ['INVALID_DATE']],
    ['date', '2026-11-20T00:00:00Z', ['INVALID_DATE']],
    ['date', 20261120, ['INVALID_DATE']],
  ] as const)('accepts or rejects as %s: %p', (type, value, expected) => {
    expect(check(field({ type }), value)).toEqual(expected);
  });

  it.each([
    [{ type: 'number', min: 1, max: 3 }, 1, 1],
    [{ type: 'number', min: 1, max: 3 }, 3, 3],
    [{ type: 'number', min: 1, max: 3 }, 0, ['TOO_SMALL']],
    [{ type: 'number', min: 1, max: 3 }, 4, ['TOO_LARGE']],
    [{ type: 'date', min: '2026-01-01' }, '2025-12-31', ['TOO_SMALL']],
    [{ type: 'date', max: '2026-01-01' }, '2026-01-02', ['TOO_LARGE']],
    [{ type: 'text', min: 2 }, 'a', ['TOO_SHORT']],
    [{ type: 'text', max: 2 }, 'abc', ['TOO_LONG']],
    [{ type: 'text', pattern: '[a-z]+' }, 'abc', 'abc'],
    [{ type: 'text', pattern: '[a-z]+' }, 'abc1', ['INVALID_FORMAT']],
    [{ type: 'text', pattern: 'a|b' }, 'ab', ['INVALID_FORMAT']],
  ] as const)('applies the limits of %j: %p', (spec, value, expected) => {
    expect(check(field(spec), value)).toEqual(expected);
  });

  describe('choices', () => {
    const options = [
      { value: 'a', label },
      { value: 'b', label, selectable: false },
    ];

    it.each([
      [{ options }, 'a', 'a'],
      [{ options }, 'b', ['INVALID_OPTION']],
      [{ options }, 'c', ['INVALID_OPTION']],
      [{ options, hasMore: true }, 'c', 'c'],
      [{ options: null }, 'c', 'c'],
      [{ options, multiple: true }, ['a'], ['a']],
      [{ options, multiple: true }, ['a', 'c'], ['INVALID_OPTION']],
      [{ options, multiple: true }, 'a', ['INVALID_TYPE_ARRAY']],
      [{ options, multiple: true }, ['a', 1], ['INVALID_TYPE_ARRAY']],
      [{ options: null, multiple: true }, Array<string>(1001).fill('x'), ['TOO_MANY']],
      [{ options: null, multiple: true, maxItems: 2 }, ['a', 'b', 'c'], ['TOO_MANY']],
      [{ options: null, multiple: true }, ['a\0'], ['INVALID_FORMAT']],
      [{ options: null, multiple: true }, ['x'.repeat(4097)], ['TOO_LONG']],
    ])('of %j: %p', (spec, value, expected) => {
      expect(check(field({ type: 'select', ...spec }), value)).toEqual(expected);
    });

    it('list the valid options in the error', () => {
      const { invalidFields } = validateFields([field({ type: 'select', options })], { f: 'c' });
      expect(invalidFields[0]!.params).toMatchObject({ options: 'a, b' });
    });
  });

  it.each([undefined, null, '', '  ', []])('treats %j as not given', (value) => {
    expect(check(field({ type: 'text', required: true }), value)).toEqual(['REQUIRED']);
    expect(check(field({ type: 'text', default: 'd' }), value)).toBe('d');
    expect(check(field({ type: 'text', required: true, default: 'd' }), value)).toBe('d');
    expect(validateFields([field({ type: 'text' })], { f: value })).toEqual({ values: {}, invalidFields: [] });
  });

  describe('a conditional field', () => {
    const fields = [
      field({ type: 'select', id: 'provider', options: null, default: 'other' }),
      field({ type: 'text', id: 'host', required: true, visibleWhen: { field: 'provider', equals: 'other' } }),
    ];

    it('is required while it is visible, also by a default', () => {
      expect(validateFields(fields, {}).invalidFields).toMatchObject([{ field: 'fields.host', code: 'REQUIRED' }]);
      expect(validateFields(fields, { host: 'h' }).values).toEqual({ provider: 'other', host: 'h' });
    });

    it('is dropped while it is hidden', () => {
      expect(validateFields(fields, { provider: 'gmx', host: 7 })).toEqual({
        values: { provider: 'gmx' },
        invalidFields: [],
      });
    });

    it('is visible by its condition only', () => {
      expect(isVisible(fields[0]!, {})).toBe(true);
      expect(isVisible(fields[1]!, { provider: 'other' })).toBe(true);
      expect(isVisible(fields[1]!, {})).toBe(false);
    });
  });
});
