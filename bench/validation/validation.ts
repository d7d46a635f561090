import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { startThread } from '../../src/platform/threads/start-thread';
import { table } from '../harness/report';
import type { Request, Times } from './validation-thread';

const ROUNDS = 100;
/** Rounds after which the code is compiled; they are not counted. */
const WARM_UP = 50;
/** The thread ends when its objects need more. */
const LIMIT_MIB = 64;
const LINES = 200;

const XRECHNUNG = 'urn:cen.eu:en16931:2017#compliant#urn:xeinkauf.de:kosit:xrechnung_3.0';
const PEPPOL = 'urn:cen.eu:en16931:2017#compliant#urn:fdc:peppol.eu:2017:poacc:billing:3.0';
const CASES: readonly (readonly [what: string, sample: string, specification: string, lines: number])[] = [
  ['EN 16931, UBL', 'ubl-full', 'urn:cen.eu:en16931:2017', 3],
  ['EN 16931, CII', 'cii-full', 'urn:cen.eu:en16931:2017', 3],
  ['XRechnung, UBL', 'ubl-full', XRECHNUNG, 3],
  ['XRechnung, CII', 'cii-full', XRECHNUNG, 3],
  ['Peppol BIS Billing, UBL', 'ubl-full', PEPPOL, 3],
  [`XRechnung, UBL, ${LINES} lines`, 'ubl-full', XRECHNUNG, LINES],
  [`XRechnung, CII, ${LINES} lines`, 'cii-full', XRECHNUNG, LINES],
];

/** Parses invoices and tests their rules in a thread whose memory is limited, and compares the two. */
export async function validation(): Promise<string> {
  const rows: string[][] = [];
  for (const [what, sample, specification, lines] of CASES) {
    const xml = await readFile(join(process.cwd(), `test/samples/e-invoices/validation/${sample}.xml`), 'utf8');
    const bytes = Buffer.from(
      withLines(
        xml.replace(XRECHNUNG, () => specification),
        lines,
      ),
    );
    const { parse, validate, heap, rules } = await measure({ bytes, specification, rounds: ROUNDS + WARM_UP });
    const [read, tested] = [parse, validate].map((all) => mean(all.slice(WARM_UP)));
    rows.push([
      what,
      `${(bytes.length / 1024).toFixed(0)} KiB`,
      read!.toFixed(2),
      tested!.toFixed(2),
      (tested! / read!).toFixed(1),
      heap.toFixed(0),
      rules,
    ]);
  }
  const headings = ['invoice', 'size', 'parsing (ms)', 'validation (ms)', 'ratio', 'heap (MiB)', 'found'];
  return `${table(headings, rows)}\n\n${NOTES}`;
}

const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;

/** Repeats the last line of an invoice; its sums are wrong then, which costs as much as right ones. */
function withLines(xml: string, lines: number): string {
  const [last = ''] =
    /<cac:InvoiceLine>(?:(?!<cac:InvoiceLine>)[^])*<\/cac:InvoiceLine>(?=\s*<\/Invoice>)/.exec(xml) ??
    /<ram:IncludedSupplyChainTradeLineItem>(?:(?!<ram:IncludedSupplyChainTradeLineItem>)[^])*<\/ram:IncludedSupplyChainTradeLineItem>(?=\s*<ram:ApplicableHeader)/.exec(
      xml,
    ) ??
    [];
  return xml.replace(last, () => last.repeat(lines - 2));
}

async function measure(request: Request): Promise<Times> {
  const thread = startThread(join(__dirname, 'validation-thread'), 'validation', { maxOldGenerationSizeMb: LIMIT_MIB });
  try {
    thread.postMessage(request);
    const [times] = (await once(thread, 'message')) as [Times];
    return times;
  } finally {
    await thread.terminate();
  }
}

const NOTES = `Means of ${ROUNDS} rounds, in milliseconds of the processor, which other programs do not change. Validation parses the file once more, keeps its white space, compares it with the XML schema and tests all rules of the rule set; “parsing” is what reading the fields needs. The heap is the most that the thread used after any of the rounds, with what is not collected yet; its old generation is limited to ${LIMIT_MIB} MiB, which is enough for all of them.`;
