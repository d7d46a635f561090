import { buffer } from 'node:stream/consumers';
import { setImmediate } from 'node:timers/promises';
import PDFDocument from 'pdfkit';
import { pdfInvoice } from '../../../test/builders/invoice-documents';
import { pdfWith } from '../../../test/samples/e-invoices/pdf-with';
import { changed, sample } from '../../../test/samples/e-invoices/sample';
import { ParserWorkerPool } from './parser-worker-pool';

const MIB = 1024 * 1024;
const xml = Buffer.from(sample('cii-invoice'));
const readXml = (threads: ParserWorkerPool, bytes: Buffer = xml) => threads.read('xml', () => Promise.resolve(bytes));

describe('parser workers', () => {
  let threads: ParserWorkerPool;
  beforeEach(() => (threads = new ParserWorkerPool(1, 30_000)));
  afterEach(() => threads.close());

  it('never have more documents in memory than there are workers, and read all of them', async () => {
    let loaded = 0;
    let most = 0;
    const documents = Array.from({ length: 8 }, () =>
      threads.read('xml', async () => {
        most = Math.max(most, ++loaded);
        await setImmediate();
        loaded--;
        return xml;
      }),
    );
    const numbers = (await Promise.all(documents)).map((each) => each?.metadata.number);
    expect(numbers).toEqual(Array<string>(8).fill('F-1001'));
    expect(most).toBe(1);
  });

  it('abort a document that takes too long, and read the next one', async () => {
    const hasty = new ParserWorkerPool(1, 20);
    const endless = Buffer.concat([Buffer.from('%PDF-1.7\n'), Buffer.alloc(20 * MIB, '1 0 obj\n')]);
    const started = performance.now();
    expect(await hasty.read('pdf', () => Promise.resolve(endless))).toBeNull();
    expect(performance.now() - started).toBeLessThan(10_000);
    await hasty.close();
    expect(await readXml(threads)).toMatchObject({ documentType: 'invoice' });
  });

  it('keep the event loop free while they read', async () => {
    await readXml(threads);
    const attachment = `<ram:AttachmentBinaryObject>${'QUJD'.repeat(1.5 * MIB)}</ram:AttachmentBinaryObject>`;
    const large = changed(xml.toString(), '</rsm:CrossIndustryInvoice>', `${attachment}</rsm:CrossIndustryInvoice>`);
    let ticks = 0;
    let reading = true;
    const read = readXml(threads, Buffer.from(large)).finally(() => (reading = false));
    for (; reading; ticks++) await setImmediate();
    expect(await read).toMatchObject({ documentType: 'invoice' });
    expect(ticks).toBeGreaterThan(100);
  });

  it('do not expand half a megabyte to a gigabyte', async () => {
    const bomb = await pdfWith({ attachments: { 'factur-x.xml': Buffer.alloc(150 * MIB, ' ') } });
    expect(bomb.length).toBeLessThan(MIB);
    await readXml(threads);
    let most = 0;
    const before = process.memoryUsage().rss;
    const watch = setInterval(() => (most = Math.max(most, process.memoryUsage().rss - before)), 5);
    expect(await threads.read('pdf', () => Promise.resolve(bomb))).toBeNull();
    clearInterval(watch);
    expect(most).toBeLessThan(150 * MIB);
    expect(await readXml(threads)).toMatchObject({ documentType: 'invoice' });
  });

  it('survive a document that exceeds the memory limit', async () => {
    const root = '<Invoice xmlns="urn:oasis:names:specification:ubl:schema:xsd:Invoice-2">';
    const heavy = Buffer.from(`${root}${'<b/>'.repeat(2.4 * MIB)}</Invoice>`);
    expect(await readXml(threads, heavy)).toBeNull();
    expect(await readXml(threads)).toMatchObject({ documentType: 'invoice' });
  });

  it('give up on endless text, whatever its pages hide, and read the next document', async () => {
    const text = async (content: string) => {
      const pdf = new PDFDocument({ margin: 0 });
      const bytes = buffer(pdf);
      pdf.addContent(content);
      pdf.end();
      return bytes;
    };
    const drawn = 'BT /F1 9 Tf 1 0 0 1 10 10 Tm (Rechnungsnummer: 1) Tj ET\n';
    const bombs = [await text(drawn.repeat(400_000)), await text(`BT ${'[(1) 5 (1)] TJ '.repeat(600_000)} ET`)];
    for (const bomb of bombs) {
      expect(bomb.length).toBeLessThan(MIB);
      const started = performance.now();
      expect(await threads.read('pdf', () => Promise.resolve(bomb), { readsText: true })).toBeNull();
      expect(performance.now() - started).toBeLessThan(35_000);
    }
    const plain = await pdfInvoice();
    expect(await threads.read('pdf', () => Promise.resolve(plain), { readsText: true })).toMatchObject({
      from: 'TEXT',
    });
  });

  it('free the slot of a document that could not be loaded', async () => {
    await expect(threads.read('xml', () => Promise.reject(new Error('gone')))).rejects.toThrow('gone');
    expect(await threads.read('pdf', () => Promise.resolve(null))).toBeNull();
    expect(await readXml(threads)).toMatchObject({ documentType: 'invoice' });
  });
});
