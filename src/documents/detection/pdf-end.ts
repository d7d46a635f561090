/** A PDF ends with these words (ISO 32000-1 section 7.5.5); readers look for them near the end of the file. */
const END_MARKS = ['%%EOF', 'startxref'];
/** More than readers require, for files with a remark behind their end. */
const TAIL_BYTES = 2048;
/** Fills files up to the size of a block after their end. */
const PADDING = new Set([0x00, 0x09, 0x0a, 0x0d, 0x20]);

/** Finds out while a document is read whether it has the end of a PDF: a file whose transfer was interrupted has none. */
export class PdfEnd {
  private tail: Buffer = Buffer.alloc(0);

  /** Takes the next bytes, of any length. */
  add(bytes: Buffer): void {
    const end = endOfContent(bytes);
    if (end === 0) return;
    const last = bytes.subarray(Math.max(0, end - TAIL_BYTES), end);
    const missing = TAIL_BYTES - last.length;
    // A copy, because the source may reuse the memory.
    this.tail = missing > 0 ? Buffer.concat([this.tail.subarray(-missing), last]) : Buffer.from(last);
  }

  get isFound(): boolean {
    return END_MARKS.some((mark) => this.tail.includes(mark));
  }
}

/** The length without padding. */
function endOfContent(bytes: Buffer): number {
  let end = bytes.length;
  while (end > 0 && PADDING.has(bytes[end - 1]!)) end--;
  return end;
}
