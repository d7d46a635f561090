/**
 * Frees at once what Node has made anew for some bytes, when it was made for them alone: nobody may read them afterwards. As
 * garbage it would lie about until V8 looks through the whole heap for it, which it begins to every 64 MiB of such memory (ADR 19).
 */
export function releaseBuffer(bytes: Buffer): void {
  if (bytes.buffer instanceof ArrayBuffer && bytes.length === bytes.buffer.byteLength) bytes.buffer.transfer(0);
}
