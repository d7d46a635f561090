import { env } from 'node:process';
import { getDocumentProxy } from 'unpdf';
import { readTextInvoice } from '../../src/documents/text/read-text-invoice';
import { median, table } from '../harness/report';
import { type Described, FIELDS, type Judged, type Score, scoresOf } from './fields';
import type { Language } from './language';
import { builtSamples, type Sample, samplesIn } from './samples';

const COPIES = 15;
/** Documents after which the code is compiled. */
const WARM_UP = 20;

interface Measurement extends Judged {
  readonly name: string;
  readonly language?: Language;
  readonly pages: number;
  readonly ms: number;
}

/** Reads invoices whose values are known, and counts per field what is read and what of it is right. */
export async function extraction(): Promise<string> {
  const folder = env['EXTRACTION_SAMPLES'];
  const sets: [string, AsyncIterable<Sample>][] = [['built by this benchmark', builtSamples(COPIES)]];
  if (folder) sets.push(['a folder of files (`EXTRACTION_SAMPLES`)', samplesIn(folder)]);
  const sections: string[] = [];
  for (const [title, samples] of sets) {
    const measured = await measure(samples);
    if (env['EXTRACTION_SHOW'] === 'true') showMistakes(measured);
    sections.push(report(title, measured), ...byLanguage(title, measured));
  }
  return [...sections, NOTES].join('\n\n');
}

async function measure(samples: AsyncIterable<Sample>): Promise<Measurement[]> {
  const measured: Measurement[] = [];
  for await (const { name, pdf, truth, language } of samples) {
    const read = await readTimed(pdf);
    if (measured.length === 0) for (let round = 0; round < WARM_UP; round++) await readTimed(pdf);
    measured.push({ name, truth, ...(language && { language }), ...read });
  }
  return measured;
}

/** What the text proves, without a look at an embedded invoice. A PDF that cannot be read has no values. */
async function readTimed(pdf: Buffer): Promise<{ read: Described; pages: number; ms: number }> {
  const started = performance.now();
  try {
    const document = await getDocumentProxy(new Uint8Array(pdf), { verbosity: 0 });
    const read = (await readTextInvoice(document)) ?? { metadata: {} };
    const pages = document.numPages;
    await document.loadingTask.destroy();
    return { read, pages, ms: performance.now() - started };
  } catch {
    return { read: { metadata: {} }, pages: 1, ms: performance.now() - started };
  }
}

function byLanguage(title: string, measured: readonly Measurement[]): string[] {
  const languages = [...new Set(measured.flatMap(({ language }) => language ?? []))].sort();
  return languages.map((each) =>
    report(
      `${title}: ${each}`,
      measured.filter(({ language }) => language === each),
    ),
  );
}

function report(title: string, measured: readonly Measurement[]): string {
  const percent = (part: number, whole: number) => (whole === 0 ? '–' : `${((part / whole) * 100).toFixed(1)} %`);
  const row = ([field, { known, absent, read, correct, absentDiffering }]: [string, Score]) => [
    field,
    String(known),
    String(absent),
    String(read),
    String(read - correct),
    String(absentDiffering),
    percent(correct, read),
    percent(correct, known),
  ];
  const perPage = measured.map(({ ms, pages }) => ms / pages).sort((a, b) => a - b);
  const slowest = perPage[Math.floor(perPage.length * 0.95)] ?? 0;
  return [
    `### ${measured.length} documents, ${title}`,
    table(
      ['field', 'known', 'not shown', 'read', 'wrong', 'of these not shown', 'precision', 'recall'],
      Object.entries(scoresOf(measured)).map(row),
    ),
    `Milliseconds per page: median ${median(perPage).toFixed(1)}, 95th percentile ${slowest.toFixed(1)}.`,
  ].join('\n\n');
}

/** Prints what is wrong or missing, for work on the rules. */
function showMistakes(measured: readonly Measurement[]): void {
  for (const { name, truth, read } of measured)
    for (const [field, valueOf] of Object.entries(FIELDS)) {
      const [expected, found] = [valueOf(truth), valueOf(read)];
      if (expected === found || (expected === undefined && !truth.isComplete)) continue;
      process.stdout.write(
        `${found === undefined ? 'missing' : 'WRONG'} ${field} ${name}: ${expected ?? '–'} ${found ?? ''}\n`,
      );
    }
}

const NOTES = [
  'Precision: the share of the read values that are right. Recall: the share of the known values that are read and right. A value',
  'that the truth does not contain is not judged. The goal is a precision of 98 % for every field, a recall of 80 % for number, date',
  'and amount, and at most 60 ms per page (median). Invoices in PDFs with an embedded e-invoice are read from their text only, and',
  'their XML is the truth. A page that shows fewer than two of number, date and amount of its XML is left out. Known values that the',
  'page shows in none of the usual notations count like all others. The language is the one with the most words of labels on the page.',
].join('\n');
