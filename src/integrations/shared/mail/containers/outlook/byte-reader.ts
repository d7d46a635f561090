/** The content ends within a value. */
export class ContentTruncated extends Error {
  override readonly name = 'ContentTruncated';
}

/** Reads little-endian values one after the other. Throws `ContentTruncated` beyond the end. */
export class ByteReader {
  private readonly bytes: Buffer;
  private at = 0;

  constructor(bytes: Uint8Array) {
    this.bytes = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  get left(): number {
    return this.bytes.length - this.at;
  }

  uint8(): number {
    return this.take(1).readUInt8(0);
  }

  uint16(): number {
    return this.take(2).readUInt16LE(0);
  }

  uint32(): number {
    return this.take(4).readUInt32LE(0);
  }

  /** The next bytes, which share the memory of the content. */
  take(length: number): Buffer {
    if (length > this.left) throw new ContentTruncated('It ends too early.');
    this.at += length;
    return this.bytes.subarray(this.at - length, this.at);
  }

  /** The next bytes, followed by padding to a multiple of four. The last padding may be missing. */
  takePadded(length: number): Buffer {
    const value = this.take(length);
    this.at = Math.min(this.bytes.length, this.at + ((4 - (length % 4)) % 4));
    return value;
  }
}
