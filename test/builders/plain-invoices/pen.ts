import { buffer } from 'node:stream/consumers';
import PDFDocument from 'pdfkit';

export interface Look {
  readonly size?: number;
  readonly bold?: boolean;
  /** The text ends at x instead of starting there. */
  readonly right?: boolean;
}

interface Written extends Look {
  readonly text: string;
  readonly x: number;
  readonly y: number;
}

/** Writes texts at positions of A4 pages, in points from the upper left corner. */
export class Pen {
  private readonly pages: Written[][] = [[]];

  write(text: string, x: number, y: number, look: Look = {}): void {
    this.pages.at(-1)!.push({ text, x, y, ...look });
  }

  lines(texts: readonly string[], x: number, y: number, { step = 13, ...look }: Look & { step?: number } = {}): void {
    texts.forEach((text, at) => this.write(text, x, y + at * step, look));
  }

  nextPage(): void {
    this.pages.push([]);
  }

  /** The PDF. `order` arranges the texts of each page in its content stream, which does not change what is seen. */
  pdf(order: (texts: readonly Written[]) => readonly Written[] = (texts) => texts): Promise<Buffer> {
    const document = new PDFDocument({
      size: 'A4',
      margin: 0,
      autoFirstPage: false,
      info: { Producer: 'Docfetch samples' },
    });
    const bytes = buffer(document);
    for (const texts of this.pages) {
      document.addPage();
      for (const { text, x, y, size = 9, bold, right } of order(texts)) {
        document.font(bold ? 'Helvetica-Bold' : 'Helvetica').fontSize(size);
        document.text(text, right ? x - document.widthOfString(text) : x, y, { lineBreak: false });
      }
    }
    document.end();
    return bytes;
  }
}
