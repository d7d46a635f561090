import { createHash, type Hash } from 'node:crypto';

const BLOCK = 4 * 1024 * 1024;

/** Dropbox's `content_hash`: the SHA-256 of the SHA-256s of all blocks of 4 MiB (Dropbox's reference "Content hash"). */
export class ContentHash {
  private readonly all = createHash('sha256');
  private block: Hash = createHash('sha256');
  private length = 0;

  update(bytes: Buffer): void {
    for (let rest = bytes; rest.length > 0;) {
      const part = rest.subarray(0, BLOCK - this.length);
      this.block.update(part);
      this.length += part.length;
      rest = rest.subarray(part.length);
      if (this.length === BLOCK) this.closeBlock();
    }
  }

  digest(encoding: 'hex'): string {
    if (this.length > 0) this.closeBlock();
    return this.all.digest(encoding);
  }

  private closeBlock(): void {
    this.all.update(this.block.digest());
    this.block = createHash('sha256');
    this.length = 0;
  }
}
