/**
 * Frees a buffer's memory immediately if no other buffer shares it; the bytes must not be read afterwards. Without this the
 * memory stays allocated until V8 collects the whole heap, which it starts after every 64 MiB of such memory (ADR 19).
 */
export function releaseBuffer(bytes: Buffer): void {
  if (bytes.buffer instanceof ArrayBuffer && bytes.length === bytes.buffer.byteLength) bytes.buffer.transfer(0);
}
