import { getDocumentProxy } from 'unpdf';
import { readTextInvoice } from '../../../src/documents/text/read-text-invoice';
import { Pen } from './pen';

/** A page with one text per line; `|` separates columns. The first line is large. */
export function page(...lines: string[]): Promise<Buffer> {
  const pen = new Pen();
  lines.forEach((line, row) =>
    line
      .split('|')
      .forEach((text, column) =>
        pen.write(text.trim(), 56 + column * 160, 80 + row * 16, { size: row === 0 ? 16 : 9 }),
      ),
  );
  return pen.pdf();
}

/** What the text of a PDF proves. */
export async function read(bytes: Buffer) {
  const pdf = await getDocumentProxy(new Uint8Array(bytes), { verbosity: 0 });
  try {
    return await readTextInvoice(pdf);
  } finally {
    await pdf.loadingTask.destroy();
  }
}

/** The metadata that a {@link page} proves. */
export const readPage = async (...lines: string[]) => (await read(await page(...lines)))?.metadata;
