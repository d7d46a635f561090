/**
 * What an e-invoice's PDF has in plain bytes: the embedded file's dictionary or the XMP that PDF/A-3 asks for. And what every
 * encrypted PDF has: the entry of its trailer (ISO 32000-1 section 7.6.1).
 */
const MARKS = ['EmbeddedFile', '#2Fxml', '#2fxml', 'factur-x', 'zugferd', 'ZUGFeRD', 'xrechnung', '/Encrypt'].map(
  (mark) => Buffer.from(mark),
);
/** Node looks for up to seven bytes ten times as fast as for more; what begins like a mark is looked at as a whole. */
const BEGINNINGS = MARKS.map((mark) => mark.subarray(0, 7));
const OVERLAP = Math.max(...MARKS.map((mark) => mark.length)) - 1;

const hasMark = (bytes: Buffer): boolean =>
  MARKS.some((mark, at) => bytes.includes(BEGINNINGS[at]!) && bytes.includes(mark));

/** Looks for signs of an embedded invoice, or of encryption, in a stream that passes by, so that no other document has to be read again. */
export class EInvoiceDetector {
  /** Whether a mark has gone by. */
  found = false;
  private tail: Buffer = Buffer.alloc(0);

  /** The stream, looked at on its way. */
  async *watch(stream: AsyncIterable<Buffer | string>): AsyncGenerator<Buffer> {
    for await (const data of stream) {
      const bytes = Buffer.isBuffer(data) ? data : Buffer.from(data);
      if (!this.found) this.look(bytes);
      yield bytes;
    }
  }

  private look(bytes: Buffer): void {
    const seam = Buffer.concat([this.tail, bytes.subarray(0, OVERLAP)]);
    this.found = hasMark(seam) || hasMark(bytes);
    this.tail = Buffer.from(Buffer.concat([this.tail, bytes.subarray(-OVERLAP)]).subarray(-OVERLAP));
  }
}
