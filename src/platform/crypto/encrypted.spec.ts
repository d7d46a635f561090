import { format, inspect } from 'node:util';
import { Encrypted, EncryptedType } from './encrypted';

describe('Encrypted', () => {
  const encrypted = new Encrypted(Buffer.from('ciphertext'));

  it.each([
    ['as text', () => String(encrypted)],
    ['in a template', () => `${encrypted.toString()}`],
    ['as JSON', () => JSON.parse(JSON.stringify({ encrypted })).encrypted as string],
    ['inspected', () => inspect(encrypted)],
    ['in a log line', () => format('%s', encrypted)],
    ['with hidden properties', () => inspect(encrypted, { showHidden: true, depth: 9 })],
  ])('shows only *** %s', (_, show) => {
    expect(show()).toBe('***');
  });

  it('has no enumerable properties', () => {
    expect({ ...encrypted }).toEqual({});
  });

  it('is converted to and from the database value', () => {
    const type = new EncryptedType();
    expect(type.convertToDatabaseValue(encrypted)).toEqual(Buffer.from('ciphertext'));
    expect(type.convertToJSValue(Buffer.from('ciphertext'))!.bytes).toEqual(encrypted.bytes);
    expect(type.convertToDatabaseValue(null)).toBeNull();
    expect(type.convertToJSValue(null)).toBeNull();
  });

  it('counts as changed only when its bytes have changed', () => {
    const type = new EncryptedType();
    expect(type.compareValues(Buffer.from('a'), Buffer.from('a'))).toBe(true);
    expect(type.compareValues(Buffer.from('a'), Buffer.from('b'))).toBe(false);
    expect(type.compareValues(null, Buffer.from('b'))).toBe(false);
    expect(type.compareValues(null, null)).toBe(true);
  });
});
