import { Readable } from 'node:stream';
import { fileChanged } from './resumable-read';

/** A hash of `node:crypto`, or a provider's own one. */
export interface Digest {
  update(bytes: Buffer): unknown;
  /** The digest in lower-case hexadecimal. */
  digest(encoding: 'hex'): string;
}

/**
 * Passes a stream through and fails with `DocumentUnavailable` when its checksum differs from the listed one, also after a resumed
 * download. The next listing contains the new version.
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
