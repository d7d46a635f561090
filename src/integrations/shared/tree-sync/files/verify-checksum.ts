import { Readable } from 'node:stream';
import { fileChanged } from './resumable-read';

/** As of `node:crypto`, or a provider's own way. */
export interface Digest {
  update(bytes: Buffer): unknown;
  /** In hexadecimal, lower case. */
  digest(encoding: 'hex'): string;
}

/**
 * The same stream, which ends with `DocumentUnavailable` when its bytes are not those that were listed, also after a download
 * that went on in the middle. The next listing shows the version that took the place of this one.
 */
export function verifyChecksum(what: string, stream: Readable, hash: Digest, expected: string): Readable {
  async function* checked(): AsyncGenerator<Buffer> {
    for await (const bytes of stream) {
      hash.update(bytes as Buffer);
      yield bytes as Buffer;
    }
    if (hash.digest('hex') !== expected) throw fileChanged(what);
  }
  return Readable.from(checked(), { objectMode: false });
}
