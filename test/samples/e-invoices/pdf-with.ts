import PDFDocument from 'pdfkit';

export interface PdfOptions {
  /** The text of the page. Default: `Rechnung`. */
  readonly text?: string;
  readonly attachments?: Readonly<Record<string, string | Buffer>>;
  /** The password to open it. */
  readonly userPassword?: string;
  /** The password to change it. */
  readonly ownerPassword?: string;
}

/** A PDF of one page with files attached, as bytes. */
export async function pdfWith({ text = 'Rechnung', attachments = {}, ...passwords }: PdfOptions): Promise<Buffer> {
  const pdf = new PDFDocument({ pdfVersion: '1.7', ...passwords });
  pdf.text(text);
  for (const [name, content] of Object.entries(attachments)) {
    pdf.file(Buffer.from(content), { name, type: 'text/xml' });
  }
  pdf.end();
  const chunks: Buffer[] = [];
  for await (const chunk of pdf) chunks.push(Buffer.from(chunk as Buffer));
  return Buffer.concat(chunks);
}
