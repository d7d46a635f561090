import { SEAL_OVERHEAD } from '../platform/crypto/cipher';

/** So many chunks' memory is kept for the next ones. */
const MOST = 32;

/**
 * Memory for sealed chunks, which goes round: as garbage it would make V8 look through the whole heap again and again, which
 * costs more than hashing, sealing and writing together.
 */
export class SpareMemory {
  private readonly spare: Buffer[] = [];

  /** For chunks of so many plain bytes. */
  constructor(private readonly bytes: number) {}

  take(): Buffer {
    return this.spare.pop() ?? Buffer.allocUnsafeSlow(this.bytes + SEAL_OVERHEAD);
  }

  /** Call it only once nobody reads from it any more. */
  keep(memory: Buffer): void {
    if (this.spare.length < MOST) this.spare.push(memory);
  }
}
