import type { getDocumentProxy } from 'unpdf';

type PdfDocument = Awaited<ReturnType<typeof getDocumentProxy>>;
type PdfPage = Awaited<ReturnType<PdfDocument['getPage']>>;
type Matrix = readonly [number, number, number, number, number, number];

/** A horizontal piece of text as the PDF draws it. Lengths are in points, `y` is the baseline, measured from the top of the page. */
export interface TextRun {
  readonly text: string;
  readonly left: number;
  readonly right: number;
  readonly y: number;
  /** The height of the font. */
  readonly size: number;
}

/** The text of one page, in the order of drawing. */
export interface PageRuns {
  readonly width: number;
  readonly height: number;
  readonly runs: readonly TextRun[];
}

/** Longer documents are not invoices but catalogs and contracts, whose labels mean something else. */
const MAX_PAGES = 30;
/** A page of small print has about 5,000 characters in 500 runs. */
const MAX_RUNS = 15_000;
const MAX_CHARACTERS = 150_000;
/** Programs that recognize characters in scanned pages: their text can be wrong without a sign of it. */
const CHARACTER_RECOGNITION = /ocr|tesseract|abbyy|finereader|paper capture|readiris|omnipage|scan/i;

/**
 * Reads the horizontal text of a PDF. Undefined when it has no text, more pages or text than an invoice, or text that comes from
 * character recognition.
 */
export async function readTextRuns(pdf: PdfDocument): Promise<PageRuns[] | undefined> {
  if (pdf.numPages > MAX_PAGES || (await isRecognizedScan(pdf))) return undefined;
  const pages: PageRuns[] = [];
  const left = { runs: MAX_RUNS, characters: MAX_CHARACTERS };
  for (let number = 1; number <= pdf.numPages; number++) {
    const page = await pdf.getPage(number);
    const read = await readPage(page, left);
    page.cleanup();
    if (!read) return undefined;
    pages.push(read);
  }
  return pages.some(({ runs }) => runs.length > 0) ? pages : undefined;
}

async function isRecognizedScan(pdf: PdfDocument): Promise<boolean> {
  const { info } = (await pdf.getMetadata()) as { info: object } as { info: Readonly<Record<string, unknown>> };
  return [info['Producer'], info['Creator']].some(
    (name) => typeof name === 'string' && CHARACTER_RECOGNITION.test(name),
  );
}

/** Undefined when the page exceeds what is `left` of the document's limits. */
async function readPage(page: PdfPage, left: { runs: number; characters: number }): Promise<PageRuns | undefined> {
  const viewport = page.getViewport({ scale: 1 });
  const reader = (page.streamTextContent() as ReadableStream<{ items: readonly object[] }>).getReader();
  const runs: TextRun[] = [];
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return { width: viewport.width, height: viewport.height, runs };
    for (const item of value.items) {
      if (!('str' in item)) continue;
      const run = toRun(item as TextItem, viewport.transform as unknown as Matrix);
      if (run) runs.push(run);
      left.runs--;
      left.characters -= (item as TextItem).str.length;
    }
    if (left.runs < 0 || left.characters < 0) {
      await reader.cancel(new Error('The page has too much text.')).catch(() => undefined);
      return undefined;
    }
  }
}

interface TextItem {
  readonly str: string;
  readonly dir: string;
  readonly transform: Matrix;
  readonly width: number;
}

/** A line that is drawn with characters. */
const RULE = /^[\s=_*.–-]{4,}$/;

/** Undefined for blank, rotated and right-to-left text. */
function toRun({ str, dir, transform, width }: TextItem, view: Matrix): TextRun | undefined {
  const text = str.normalize('NFKC').replace(/[\s\u00a0\u00ad\u200b]+/g, ' ');
  if (text.trim() === '' || RULE.test(text) || dir !== 'ltr') return undefined;
  const [a, b, c, d, x, y] = transform;
  const across = view[0] * a + view[2] * b;
  const sideways = view[1] * a + view[3] * b;
  const size = Math.hypot(view[0] * c + view[2] * d, view[1] * c + view[3] * d);
  if (!(across > 0) || Math.abs(sideways) > across / 20 || !(size > 1)) return undefined;
  const left = view[0] * x + view[2] * y + view[4];
  return { text, left, right: left + Math.max(width, 0), y: view[1] * x + view[3] * y + view[5], size };
}
