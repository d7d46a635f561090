/**
 * Reuses buffers of one size. As garbage they would cause frequent collections of the whole heap (ADR 19): with new memory for
 * each, a worker takes three to five times the CPU time per pushed document of 150 KB (`npm run bench -- push-rate`).
 */
export class BufferPool {
  private readonly free: Buffer[] = [];

  /** Keeps at most `maxFree` unused buffers of `bytes` bytes each. */
  constructor(
    private readonly bytes: number,
    private readonly maxFree = 32,
  ) {}

  /** A buffer with undefined content. */
  acquire(): Buffer {
    return this.free.pop() ?? Buffer.allocUnsafeSlow(this.bytes);
  }

  /** Returns the buffer that these bytes are the beginning of. It must not be read any more. */
  release({ buffer, byteOffset }: Buffer): void {
    if (this.free.length < this.maxFree) this.free.push(Buffer.from(buffer, byteOffset, this.bytes));
  }
}
