/**
 * Memory that goes round, in pieces of one size: as garbage it would make V8 look through the whole heap again and again (ADR 19).
 */
export class BufferPool {
  private readonly spare: Buffer[] = [];

  /** `most`: so many pieces are kept for the next ones. */
  constructor(
    private readonly bytes: number,
    private readonly most = 32,
  ) {}

  /** A piece with whatever stood in it before. */
  take(): Buffer {
    return this.spare.pop() ?? Buffer.allocUnsafeSlow(this.bytes);
  }

  /** Takes back the piece that these bytes are the beginning of. Call it only once nobody reads from it any more. */
  keep({ buffer, byteOffset }: Buffer): void {
    if (this.spare.length < this.most) this.spare.push(Buffer.from(buffer, byteOffset, this.bytes));
  }
}
