import { ByteReader } from './byte-reader';
import { decodeCodePage } from './outlook-message';

/** Property types (MS-OXCDATA section 2.11.1). */
const TYPE = { int16: 0x02, boolean: 0x0b, object: 0x0d, string8: 0x1e, unicode: 0x1f, guid: 0x48, binary: 0x102 };
const MULTIPLE = 0x1000;
/** The first property that is identified by a name instead of by its number (MS-OXPROPS). */
const FIRST_NAMED = 0x8000;
/** Sizes of the other types: floating point, currency, time. Unlisted ones have four bytes. */
const EIGHT_BYTES = [0x05, 0x06, 0x07, 0x14, 0x40];
/** IID_IMessage: the object is a mail (MS-OXTNEF section 2.1.3.3.15). */
const MAIL_OBJECT = Buffer.from('0703020000000000c000000000000046', 'hex');
const GUID_BYTES = 16;

export interface TnefValue {
  readonly type: number;
  readonly bytes: Buffer;
}

/** Properties in TNEF (MS-OXTNEF section 2.1.3.4), by number, without named ones and lists. */
export class TnefProperties {
  private readonly values = new Map<number, TnefValue>();
  private readonly codePage: number | undefined;

  /** @throws ContentTruncated */
  constructor(bytes: Buffer, codePage?: number) {
    this.codePage = codePage;
    const reader = new ByteReader(bytes);
    for (let left = reader.uint32(); left > 0; left--) this.readProperty(reader);
  }

  text(property: number): string | undefined {
    const value = this.values.get(property);
    if (value?.type === TYPE.unicode) return value.bytes.toString('utf16le').replace(/\0[\s\S]*$/, '') || undefined;
    return value?.type === TYPE.string8 ? decodeCodePage(value.bytes, this.codePage) || undefined : undefined;
  }

  number(property: number): number | undefined {
    const bytes = this.values.get(property)?.bytes;
    return bytes?.length === 4 ? bytes.readUInt32LE(0) : undefined;
  }

  /** The content of a file. */
  binary(property: number): Buffer | undefined {
    const value = this.values.get(property);
    return value?.type === TYPE.binary ? value.bytes : undefined;
  }

  /** The content of an object that is a mail, again in TNEF. */
  mail(property: number): Buffer | undefined {
    const value = this.values.get(property);
    const isMail = value?.type === TYPE.object && value.bytes.subarray(0, GUID_BYTES).equals(MAIL_OBJECT);
    return isMail ? value.bytes.subarray(GUID_BYTES) : undefined;
  }

  private readProperty(reader: ByteReader): void {
    const whole = reader.uint16();
    const property = reader.uint16();
    if (property >= FIRST_NAMED) skipName(reader);
    const type = whole & ~MULTIPLE;
    const count = isVariable(type) || whole !== type ? reader.uint32() : 1;
    for (let n = 0; n < count; n++) {
      const bytes = readValue(reader, type);
      if (count === 1 && whole === type && property < FIRST_NAMED) this.values.set(property, { type, bytes });
    }
  }
}

function skipName(reader: ByteReader): void {
  reader.take(GUID_BYTES);
  const isNumber = reader.uint32() === 0;
  const value = reader.uint32();
  if (!isNumber) reader.takePadded(value);
}

function readValue(reader: ByteReader, type: number): Buffer {
  if (isVariable(type)) return reader.takePadded(reader.uint32());
  if (type === TYPE.guid) return reader.take(GUID_BYTES);
  return reader.take(EIGHT_BYTES.includes(type) ? 8 : 4);
}

function isVariable(type: number): boolean {
  return type === TYPE.object || type === TYPE.string8 || type === TYPE.unicode || type === TYPE.binary;
}
