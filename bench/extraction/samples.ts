import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { extractText, getDocumentProxy } from 'unpdf';
import { readZugferd } from '../../src/documents/e-invoice/pdf/zugferd';
import type { InvoiceData } from '../../test/builders/invoice-data';
import { LAYOUTS } from '../../test/builders/plain-invoices/layouts';
import { NOTATIONS } from '../../test/builders/plain-invoices/notation';
import { randomInvoice, randomNumbers } from '../../test/builders/plain-invoices/random-invoice';
import type { Truth } from './fields';

export interface Sample {
  readonly name: string;
  readonly pdf: Buffer;
  readonly truth: Truth;
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
    const truth = (await statedTruth(join(folder, name.replace(/\.pdf$/i, '.json')))) ?? (await embeddedTruth(pdf));
    if (truth) yield { name, pdf, truth };
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

/**
 * Undefined for a PDF without a readable e-invoice, and for one whose pages show another invoice: the number, date or gross amount
 * of the XML is nowhere on them.
 */
async function embeddedTruth(pdf: Buffer): Promise<Truth | undefined> {
  const truth = await readZugferd(pdf).catch(() => undefined);
  if (!truth) return undefined;
  const document = await getDocumentProxy(new Uint8Array(pdf), { verbosity: 0 });
  const { text } = await extractText(document, { mergePages: true });
  await document.loadingTask.destroy();
  const shown = text.normalize('NFKC').replace(/\s+/g, '').toLowerCase();
  const { number, date, amount } = truth.metadata;
  const notations = [[number?.replace(/\s+/g, '')], notationsOfDate(date), notationsOfAmount(amount)];
  return notations.every((some) => some.some((each) => each === undefined || shown.includes(each.toLowerCase())))
    ? truth
    : undefined;
}

function notationsOfDate(date: string | undefined): (string | undefined)[] {
  if (date === undefined) return [undefined];
  const [year, month, day] = date.split('-') as [string, string, string];
  const numbers = ['.', '/', '-'].flatMap((point) => [
    [day, month, year].join(point),
    [month, day, year].join(point),
    [Number(day), Number(month), year].join(point),
    [day, month, year.slice(2)].join(point),
  ]);
  const names = ['de', 'en', 'fr'].flatMap((language) =>
    (['long', 'short'] as const).flatMap((style) => {
      const name = new Date(date).toLocaleString(language, { month: style, timeZone: 'UTC' });
      return [`${Number(day)}.${name}${year}`, `${Number(day)}${name}${year}`, `${name}${Number(day)},${year}`];
    }),
  );
  return [date, ...numbers, ...names];
}

function notationsOfAmount(amount: string | undefined): (string | undefined)[] {
  if (amount === undefined) return [undefined];
  const [whole, cents] = amount.split('.') as [string, string];
  return ['', '.', ',', "'"].flatMap((separator) =>
    ['.', ','].map((point) => whole.replace(/\B(?=(\d{3})+$)/g, separator) + point + cents),
  );
}
