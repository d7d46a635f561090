/** The largest document that the bench connector makes. */
export const MAX_BYTES = 1_000_000;
/** As a socket hands them over. */
const CHUNK_BYTES = 64 * 1024;

/** A PDF by its first bytes, then its number, then random bytes: no two documents are alike, and none costs much to make. */
export function* documentBytes(block: Buffer, number: number, bytes: number): Generator<Buffer> {
  const head = Buffer.from(`%PDF-1.7\n% ${number}\n`);
  yield head;
  for (let at = head.length; at < bytes; at += CHUNK_BYTES) {
    yield block.subarray(at, Math.min(at + CHUNK_BYTES, bytes));
  }
}
