import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { extractText, getDocumentProxy } from 'unpdf';
import { readZugferd } from '../../src/documents/e-invoice/pdf/zugferd';
import type { InvoiceData } from '../../test/builders/invoice-data';
import { LAYOUTS } from '../../test/builders/plain-invoices/layouts';
import { NOTATIONS } from '../../test/builders/plain-invoices/notation';
import { randomInvoice, randomNumbers } from '../../test/builders/plain-invoices/random-invoice';
import { absentFields } from './absent';
import type { Truth } from './fields';
import { type Language, languageOf } from './language';

export interface Sample {
  readonly name: string;
  readonly pdf: Buffer;
  readonly truth: Truth;
  readonly language?: Language;
}

/** Invoices of every layout in every notation, `count` of each. */
export async function* builtSamples(count: number): AsyncGenerator<Sample> {
  const random = randomNumbers(20_260_302);
  for (const [layout, draw] of Object.entries(LAYOUTS))
    for (const [at, notation] of NOTATIONS.entries())
      for (let copy = 0; copy < count; copy++) {
        const invoice = randomInvoice(random);
        yield { name: `${layout}-${at}-${copy}`, pdf: await draw(invoice, notation), truth: truthOf(invoice) };
      }
}

/**
 * The PDFs of a folder whose true values are known: from `name.json` beside `name.pdf` (with `documentType` and
 * `metadata`, complete), else from the invoice that is embedded in
 * the PDF, which the text extraction does not see.
 */
export async function* samplesIn(folder: string): AsyncGenerator<Sample> {
  for (const name of (await readdir(folder)).filter((each) => /\.pdf$/i.test(each)).sort()) {
    const pdf = await readFile(join(folder, name));
    const truth = await statedTruth(join(folder, name.replace(/\.pdf$/i, '.json')));
    const known = truth ? { truth } : await embeddedTruth(pdf);
    if (known) yield { name, pdf, ...known };
  }
}

function truthOf({ number, date, dueDate, currency, supplier, net, tax, gross }: InvoiceData): Truth {
  const amount = (hundredths: number) => (hundredths / 100).toFixed(2);
  return {
    isComplete: true,
    documentType: 'invoice',
    metadata: {
      number,
      date,
      due_date: dueDate,
      currency,
      amount: amount(gross),
      amount_net: amount(net),
      amount_tax: amount(tax),
      supplier: { name: supplier.name, vat_id: supplier.vatId, iban: supplier.iban },
    },
  };
}

async function statedTruth(file: string): Promise<Truth | undefined> {
  const text = await readFile(file, 'utf8').catch(() => undefined);
  return text === undefined ? undefined : { isComplete: true, ...(JSON.parse(text) as Truth) };
}

/** Number, date and gross amount: a page that shows fewer than two of them shows another invoice. */
const IDENTIFYING = ['number', 'date', 'amount'];

/** Undefined for a PDF without a readable e-invoice, and for one whose pages show another invoice than the XML. */
async function embeddedTruth(pdf: Buffer): Promise<Pick<Sample, 'truth' | 'language'> | undefined> {
  const invoice = await readZugferd(pdf).catch(() => undefined);
  if (!invoice) return undefined;
  const document = await getDocumentProxy(new Uint8Array(pdf), { verbosity: 0 });
  const { text } = await extractText(document, { mergePages: true });
  await document.loadingTask.destroy();
  const absent = absentFields(invoice, text);
  const isShown = IDENTIFYING.filter((field) => !absent.has(field)).length >= 2;
  return isShown ? { truth: { ...invoice, absent }, language: languageOf(text) } : undefined;
}
