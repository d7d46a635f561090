import { Type } from '@mikro-orm/core';
import { inspect } from 'node:util';

/** Encrypted bytes. Printing, logging or serializing them shows `***`. */
export class Encrypted {
  readonly #bytes: Buffer;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  /** The ciphertext, for the database and for `KeyManager`. */
  get bytes(): Buffer {
    return this.#bytes;
  }

  toString(): string {
    return '***';
  }

  toJSON(): string {
    return '***';
  }

  [inspect.custom](): string {
    return '***';
  }
}

/** A `bytea` column of encrypted bytes. */
export class EncryptedType extends Type<Encrypted | null, Buffer | null> {
  override convertToDatabaseValue(value: Encrypted | null): Buffer | null {
    return value?.bytes ?? null;
  }

  override convertToJSValue(value: Buffer | Encrypted | null): Encrypted | null {
    if (value === null || value instanceof Encrypted) return value;
    return new Encrypted(Buffer.from(value));
  }

  override compareValues(a: Buffer | null, b: Buffer | null): boolean {
    return a === b || (a !== null && b !== null && Buffer.compare(a, b) === 0);
  }

  override getColumnType(): string {
    return 'bytea';
  }
}
