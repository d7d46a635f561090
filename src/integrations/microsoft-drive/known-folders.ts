import { createHash } from 'node:crypto';

/** Letters of a folder's digest: 48 bits tell some thousand folders apart. */
const DIGEST_CHARACTERS = 8;
/** A cursor stays small: folders beyond these are gone through again whenever they are listed. */
const MAX_FOLDERS = 4_000;

/**
 * Which folders below the chosen ones have been gone through: from then on Graph tells what changes in them. Lists of changes
 * name folders also when only something in them has changed; one that was moved in is named without what is in it.
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
