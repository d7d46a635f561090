/** So many pieces are kept for the next ones. */
const MOST = 32;

/**
 * Memory that goes round, in pieces of one size: as garbage it would make V8 look through the whole heap again and again (ADR 19).
 */
export class SpareMemory {
  private readonly spare: Buffer[] = [];

  constructor(private readonly bytes: number) {}

  /** A piece with whatever stood in it before. */
  take(): Buffer {
    return this.spare.pop() ?? Buffer.allocUnsafeSlow(this.bytes);
  }

  /** Takes back the piece that these bytes are the beginning of. Call it only once nobody reads from it any more. */
  keep({ buffer, byteOffset }: Buffer): void {
    if (this.spare.length < MOST) this.spare.push(Buffer.from(buffer, byteOffset, this.bytes));
  }
}
