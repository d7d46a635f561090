import { PdfEnd } from './pdf-end';

/**
 * Byte patterns of e-invoice PDFs: the dictionary of the embedded file, or the XMP that PDF/A-3 requires; and of encrypted PDFs:
 * the entry of the trailer (ISO 32000-1 section 7.6.1).
 */
const MARKS = ['EmbeddedFile', '#2Fxml', '#2fxml', 'factur-x', 'zugferd', 'ZUGFeRD', 'xrechnung', '/Encrypt'].map(
  (mark) => Buffer.from(mark),
);
/** Node searches for up to seven bytes ten times faster than for more, so the prefix of a pattern is searched first. */
const PREFIXES = MARKS.map((mark) => mark.subarray(0, 7));
const OVERLAP = Math.max(...MARKS.map((mark) => mark.length)) - 1;

const hasMark = (bytes: Buffer): boolean =>
  MARKS.some((mark, at) => bytes.includes(PREFIXES[at]!) && bytes.includes(mark));

/** Detects an embedded invoice or encryption in a stream, so that only matching documents have to be read again, and its end. */
export class EInvoiceDetector {
  /** Whether a pattern was found. */
  found = false;
  private readonly end = new PdfEnd();
  private tail: Buffer = Buffer.alloc(0);

  /** Passes the stream through while scanning it. */
  async *scan(stream: AsyncIterable<Buffer | string>): AsyncGenerator<Buffer> {
    for await (const data of stream) {
      const bytes = Buffer.isBuffer(data) ? data : Buffer.from(data);
      if (!this.found) this.search(bytes);
      this.end.add(bytes);
      yield bytes;
    }
  }

  /** Whether the stream ended like a complete PDF. */
  get hasPdfEnd(): boolean {
    return this.end.isFound;
  }

  private search(bytes: Buffer): void {
    const seam = Buffer.concat([this.tail, bytes.subarray(0, OVERLAP)]);
    this.found = hasMark(seam) || hasMark(bytes);
    this.tail = Buffer.from(Buffer.concat([this.tail, bytes.subarray(-OVERLAP)]).subarray(-OVERLAP));
  }
}
