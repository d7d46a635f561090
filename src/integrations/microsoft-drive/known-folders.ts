import { createHash } from 'node:crypto';

/** Characters of a folder's digest: 48 bits distinguish some thousand folders. */
const DIGEST_CHARACTERS = 8;
/** Limits the size of the cursor: further folders are listed again whenever they occur in changes. */
const MAX_FOLDERS = 4_000;

/**
 * The folders that have been listed completely, so that Graph reports their changes. Change lists contain a folder also when only
 * its contents have changed; a folder that was moved in is reported without its contents.
 */
export class KnownFolders {
  private readonly digests: Set<string>;

  constructor(stored = '') {
    this.digests = new Set(stored.match(new RegExp(`.{${DIGEST_CHARACTERS}}`, 'g')));
  }

  has(id: string): boolean {
    return this.digests.has(digestOf(id));
  }

  add(id: string): void {
    if (this.digests.size < MAX_FOLDERS) this.digests.add(digestOf(id));
  }

  delete(id: string): void {
    this.digests.delete(digestOf(id));
  }

  toString(): string {
    return [...this.digests].join('');
  }
}

const digestOf = (id: string): string =>
  createHash('sha256').update(id).digest('base64url').slice(0, DIGEST_CHARACTERS);
