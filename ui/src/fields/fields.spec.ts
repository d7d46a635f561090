import type { Field } from '@docfetch/sdk';
import { de } from '../messages/de';
import { en } from '../messages/en';
import { fieldErrorMessage } from './field-error-message';
import { accountAddress } from './setup/account-address';
import { advancedFieldIds, deviceTimeZone, hasAdvancedInput } from './advanced-fields';
import { validateField, validate } from './validate';
import { filledValues, initialValues, visibleFields } from './field-values';

const field = (id: string, more: Partial<Field> = {}): Field => ({
  id,
  type: 'text',
  label: id,
  help: null,
  placeholder: null,
  required: false,
  secret: false,
  multiple: false,
  default: null,
  pattern: null,
  min: null,
  max: null,
  visible_when: null,
  options: null,
  has_more: false,
  ...more,
});

const provider = field('provider', { type: 'select', required: true });
const host = field('host', { required: true, visible_when: { field: 'provider', equals: 'other' } });
const port = field('port', { type: 'number', min: 1, max: 65535, visible_when: { field: 'host', equals: 'x' } });
const password = field('password', { type: 'password', required: true, secret: true });
const FORM = [provider, host, port, password];

describe('visible fields', () => {
  const ids = (values: Record<string, string>) => visibleFields(FORM, values).map(({ id }) => id);

  it('hides a field until its condition holds', () => {
    expect(ids({})).toEqual(['provider', 'password']);
    expect(ids({ provider: 'other' })).toEqual(['provider', 'host', 'password']);
    expect(ids({ provider: 'other', host: 'x' })).toEqual(['provider', 'host', 'port', 'password']);
  });

  it('hides fields that depend on a hidden field, whatever its value', () => {
    expect(ids({ provider: 'gmx', host: 'x' })).toEqual(['provider', 'password']);
  });

  it('sends only the values of visible fields that are filled', () => {
    expect(filledValues(FORM, { provider: 'gmx', host: 'x', password: ' ' })).toEqual({
      provider: 'gmx',
      password: ' ',
    });
    expect(filledValues([field('a'), field('b'), field('c', { multiple: true })], { a: ' ', b: 'x', c: [] })).toEqual({
      b: 'x',
    });
    expect(filledValues([field('n', { type: 'number' }), field('f', { type: 'boolean' })], { n: 0, f: false })).toEqual(
      {
        n: 0,
        f: false,
      },
    );
  });

  it('sends an empty list of secrets, which removes the stored ones', () => {
    const list = field('document_passwords', { type: 'password', secret: true, multiple: true });
    expect(filledValues([list], { document_passwords: [] })).toEqual({ document_passwords: [] });
    expect(filledValues([list], {})).toEqual({});
    expect(filledValues([list], { document_passwords: ['a ', 'b'] })).toEqual({ document_passwords: ['a ', 'b'] });
  });

  it('starts with the stored input, else the default, and never with a secret', () => {
    const fields = [
      field('a', { default: 'd' }),
      field('b', { default: 'd', value: 'v' }),
      field('c'),
      { ...password, value: 'x' },
    ];
    expect(initialValues(fields)).toEqual({ a: 'd', b: 'v', c: undefined, password: undefined });
    expect(initialValues(fields, { a: 's', c: 's', password: 'x' })).toMatchObject({
      a: 's',
      c: 's',
      password: undefined,
    });
  });
});

describe('validation in the browser', () => {
  it('requires visible required fields', () => {
    expect(validate(FORM, {})).toEqual({ provider: { code: 'REQUIRED_CHOICE' }, password: { code: 'REQUIRED' } });
    expect(validate(FORM, { provider: 'other', password: 'p' })).toEqual({ host: { code: 'REQUIRED' } });
  });

  it('lets a stored secret stay empty', () => {
    expect(validate([password], {}, ['password'])).toEqual({});
  });

  it('lets a required field with a default stay empty, but not a list', () => {
    expect(validateField(field('a', { required: true, default: 'x' }), '')).toBeNull();
    expect(validateField(field('a', { type: 'tree', required: true, multiple: true, default: ['x'] }), [])).toEqual({
      code: 'REQUIRED_CHOICE',
    });
  });

  it.each<[Partial<Field>, string | number, object | null]>([
    [{ type: 'number', min: 1, max: 10 }, 0, { code: 'TOO_SMALL', limit: 1 }],
    [{ type: 'number', min: 1, max: 10 }, 11, { code: 'TOO_LARGE', limit: 10 }],
    [{ type: 'number', min: 1, max: 10 }, 10, null],
    [{ type: 'number', required: true }, NaN, { code: 'REQUIRED' }],
    [{ type: 'date', min: '2026-01-01' }, '2025-12-31', { code: 'TOO_EARLY', limit: '2026-01-01' }],
    [{ type: 'date', max: '2026-01-01' }, '2026-01-02', { code: 'TOO_LATE', limit: '2026-01-01' }],
    [{ min: 3 }, 'ab', { code: 'TOO_SHORT', limit: 3 }],
    [{ max: 3 }, 'abcd', { code: 'TOO_LONG', limit: 3 }],
    [{ max: 3 }, ' abc ', null],
    [{ type: 'password', max: 3 }, ' abc ', { code: 'TOO_LONG', limit: 3 }],
    [{ pattern: '[^\\s/@]+' }, 'imap.example.com', null],
    [{ pattern: '[^\\s/@]+' }, 'me@example.com', { code: 'INVALID_FORMAT' }],
    [{ type: 'email' }, 'me@example', { code: 'INVALID_EMAIL' }],
    [{ type: 'email' }, 'me@example.com', null],
    [{ type: 'url' }, 'example.com', { code: 'INVALID_URL' }],
    [{ type: 'url' }, 'ftp://example.com', { code: 'INVALID_URL' }],
    [{ type: 'url' }, 'https://example.com/x', null],
  ])('validates %j with %j', (more, value, expected) => {
    expect(validateField(field('a', more), value)).toEqual(expected);
  });

  it('formats a limit in the locale', () => {
    expect(fieldErrorMessage({ code: 'TOO_LARGE', limit: 65535 }, de.fields.errors, 'de')).toBe(
      'Bitte geben Sie höchstens 65.535 ein.',
    );
    expect(fieldErrorMessage({ code: 'TOO_EARLY', limit: '2026-01-01' }, en.fields.errors, 'en')).toBe(
      'The earliest possible day is 1\u00a0January\u00a02026.',
    );
    expect(fieldErrorMessage({ code: 'REQUIRED' }, en.fields.errors, 'en')).toBe('Please fill in this field.');
  });
});

describe('folded fields', () => {
  const zone = field('time_zone', {
    ...{ type: 'select', default: 'UTC' },
    options: ['UTC', new Intl.DateTimeFormat().resolvedOptions().timeZone, 'Asia/Tokyo'].map((value) => ({
      ...{ value, label: value, has_children: false, selectable: true },
    })),
  });
  const fields = [host, field('port', { type: 'number', default: 22 }), password, zone, field('startdate')];

  it('are port, time zone and start date', () => {
    expect(advancedFieldIds(fields)).toEqual(['port', 'time_zone', 'startdate']);
    expect(advancedFieldIds([field('port', { required: true })])).toEqual([]);
  });

  it('are opened for a value that is neither the default nor the time zone of the device', () => {
    expect(hasAdvancedInput(fields, { host: 'x', port: 22, ...deviceTimeZone(fields) })).toBe(false);
    expect(hasAdvancedInput(fields, { time_zone: 'UTC' })).toBe(false);
    expect(hasAdvancedInput(fields, { port: 2222 })).toBe(true);
    expect(hasAdvancedInput(fields, { startdate: '2026-01-01' })).toBe(true);
    expect(hasAdvancedInput(fields, { time_zone: 'Asia/Tokyo' })).toBe(
      deviceTimeZone(fields)['time_zone'] !== 'Asia/Tokyo',
    );
  });
});

describe('the address of the account', () => {
  it.each([
    [{ user: ' anna@example.com ' }, 'anna@example.com'],
    [{ user: 'anna' }, null],
    [{ user: 'anna@' }, null],
    [{ password: 'anna@example.com' }, null],
    [{ mail: 'anna@example.com' }, 'anna@example.com'],
  ])('of %j is %s', (values, expected) => {
    const fields = [field('user'), password, field('mail', { type: 'email' })];
    expect(accountAddress(fields, values)).toBe(expected);
  });
});
