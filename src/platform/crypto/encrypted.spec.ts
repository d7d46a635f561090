import { format, inspect } from 'node:util';
import { Encrypted, EncryptedType } from './encrypted';

describe('Encrypted', () => {
  const sealed = new Encrypted(Buffer.from('ciphertext'));

  it.each([
    ['as text', () => String(sealed)],
    ['in a template', () => `${sealed.toString()}`],
    ['as JSON', () => JSON.parse(JSON.stringify({ sealed })).sealed as string],
    ['inspected', () => inspect(sealed)],
    ['in a log line', () => format('%s', sealed)],
    ['with hidden properties', () => inspect(sealed, { showHidden: true, depth: 9 })],
  ])('shows only *** %s', (_, show) => {
    expect(show()).toBe('***');
  });

  it('has no enumerable properties', () => {
    expect({ ...sealed }).toEqual({});
  });

  it('is converted to and from the database value', () => {
    const type = new EncryptedType();
    expect(type.convertToDatabaseValue(sealed)).toEqual(Buffer.from('ciphertext'));
    expect(type.convertToJSValue(Buffer.from('ciphertext'))!.bytes).toEqual(sealed.bytes);
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
