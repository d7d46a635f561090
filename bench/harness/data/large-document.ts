import { createHash, randomBytes } from 'node:crypto';
import type { LazyBytes, MessageSource } from '../../../test/fakes/imap/protocol/byte-buffer';

/** Whole base64 lines (57 bytes each), so that the encoded form of a block is the same at every position. */
const BLOCK_BYTES = 57 * 1024;
const BLOCK = Buffer.concat([Buffer.from('%PDF-1.7\n'), randomBytes(BLOCK_BYTES)], BLOCK_BYTES);
const ENCODED = lines(BLOCK);

/** A document of any size that resembles a PDF and is generated while it is read: one block of random bytes, repeated. */
export class LargeDocument implements LazyBytes {
  readonly sha256: string;

  constructor(readonly size: number) {
    const hash = createHash('sha256');
    for (const chunk of this.chunks()) hash.update(chunk);
    this.sha256 = hash.digest('hex');
  }

  *chunks(): Generator<Buffer> {
    for (const length of this.lengths()) yield BLOCK.subarray(0, length);
  }

  /** The document as the only attachment of a mail (RFC 2045): the base64 text is also generated while it is read. */
  mail(): MessageSource {
    const head = [
      'From: billing@supplier.example',
      'To: invoices@customer.example',
      'Subject: Your invoice',
      `Message-ID: <${this.sha256}@supplier.example>`,
      'MIME-Version: 1.0',
      'Content-Type: multipart/mixed; boundary="=_"',
      '',
      '--=_',
      'Content-Type: application/pdf; name="invoice.pdf"',
      'Content-Disposition: attachment; filename="invoice.pdf"',
      'Content-Transfer-Encoding: base64',
      '',
      '',
    ];
    const encoded = () => this.encoded();
    const letters = Math.ceil(this.size / 3) * 4;
    const size = letters + 2 * (Math.ceil(letters / 76) - 1);
    return [head.join('\r\n'), { size, chunks: encoded }, '\r\n--=_--\r\n'];
  }

  /** Ends with an additional line break, which is not read because it is after the announced size. */
  private *encoded(): Generator<Buffer> {
    for (const length of this.lengths()) yield length === BLOCK_BYTES ? ENCODED : lines(BLOCK.subarray(0, length));
  }

  private *lengths(): Generator<number> {
    for (let left = this.size; left > 0; left -= BLOCK_BYTES) yield Math.min(left, BLOCK_BYTES);
  }
}

function lines(bytes: Buffer): Buffer {
  return Buffer.from(bytes.toString('base64').replace(/.{1,76}/g, '$&\r\n'), 'latin1');
}
