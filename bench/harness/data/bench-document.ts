/** The largest document that the bench connector generates. */
export const MAX_BYTES = 1_000_000;
/** The chunk size of a socket. */
const CHUNK_BYTES = 64 * 1024;

/** The first bytes of a PDF, its number, and random bytes: all documents differ, and are cheap to generate. */
export function* documentBytes(block: Buffer, number: number, bytes: number): Generator<Buffer> {
  const head = Buffer.from(`%PDF-1.7\n% ${number}\n`);
  yield head;
  for (let at = head.length; at < bytes; at += CHUNK_BYTES) {
    yield block.subarray(at, Math.min(at + CHUNK_BYTES, bytes));
  }
}
