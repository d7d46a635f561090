import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { extractText, getDocumentProxy } from 'unpdf';
import { readXmlInvoice } from '../../documents/e-invoice/xml/read-xml-invoice';
import { GuardedNetwork } from '../../platform/network/guarded-network';
import { type OpenSession, openSession } from '../core/session/open-session';
import type { DocumentRef, Json } from '../core/source-document';
import { DocumentUnavailable, Transient } from '../core/source-errors';
import { validateFields } from '../core/validate-fields';
import { initialDate, fixtureDocument } from '../shared/sandbox/fixture-document';
import { renderPdf, stretchPdf } from '../shared/sandbox/render-pdf';
import { sandbox } from './sandbox';

const network = new GuardedNetwork({ allow: [] });

function session(fields: Record<string, unknown> = {}, signal = new AbortController().signal): OpenSession {
  const { values } = validateFields(sandbox.step1, { user: 'demo', password: 'secret', ...fields });
  return openSession({ fields: values, step2: {}, network, signal, now: () => new Date('2026-11-20T08:00:00Z') });
}

/** The documents of one fetch, newest first, and the next cursor. */
async function list(
  opened: OpenSession,
  from: Json | null = null,
): Promise<{ documents: DocumentRef[]; cursor: Json }> {
  const documents: DocumentRef[] = [];
  let cursor: Json = null;
  for await (const page of sandbox.list(opened, from, null)) {
    documents.unshift(...[...page.documents].reverse());
    cursor = page.cursor;
  }
  return { documents, cursor };
}

const bytesOf = async (opened: OpenSession, ref: DocumentRef) => buffer((await sandbox.download(opened, ref)).stream);

async function textOf(pdf: Buffer): Promise<string> {
  const { text, totalPages } = await extractText(await getDocumentProxy(new Uint8Array(pdf)), { mergePages: true });
  expect(totalPages).toBe(1);
  return text;
}

describe('the sandbox in the registry', () => {
  it('exists in test environments only, has external ids and a second step', () => {
    expect(sandbox).toMatchObject({
      id: 'sandbox',
      category: 'PORTAL',
      authType: 'CREDENTIALS',
      testOnly: true,
      providesExternalId: true,
      supportsStartdate: true,
    });
    expect(sandbox.step2).toBeDefined();
    expect(sandbox.step1.filter((field) => field.secret).map((field) => field.id)).toEqual(['password']);
    expect(readFileSync(join(__dirname, 'logo.svg'), 'utf8')).toMatch(/^<svg [\s\S]*<\/svg>\s*$/);
  });

  it('needs no more than a user name and a password', () => {
    const { values, invalidFields } = validateFields(sandbox.step1, { user: 'demo', password: 'x' });
    expect(invalidFields).toEqual([]);
    expect(values).toMatchObject({ scenario: 'normal', documents: 3, document_size_kb: 50, new_per_fetch: 1 });
  });
});

describe('the documents of the sandbox', () => {
  it('are PDFs that match the list, of exactly the configured size', async () => {
    const opened = session({ document_size_kb: 37 });
    const { documents } = await list(opened);
    for (const ref of documents.filter(({ filename }) => filename.endsWith('.pdf'))) {
      const { stream, ...file } = await sandbox.download(opened, ref);
      expect(file).toEqual({ filename: ref.filename, mimeType: 'application/pdf', size: 37 * 1024 });
      const pdf = await buffer(stream);
      expect(pdf).toHaveLength(37 * 1024);
      const text = await textOf(pdf);
      expect(text).toContain(ref.metadata.number);
      expect(text).toContain(ref.metadata.amount!.replace('.', ','));
      expect(text).toContain(ref.metadata.date!.split('-').reverse().join('.'));
      expect(text).toContain(ref.metadata.supplier!.name);
      expect(text).toContain(ref.documentType === 'credit_note' ? 'Gutschrift' : 'Rechnung');
      if (ref.documentType === 'credit_note') expect(text).toContain(ref.metadata.preceding_invoice);
    }
    expect(documents.map((ref) => ref.documentType)).toEqual(['invoice', 'credit_note', 'invoice']);
  });

  it('are valid e-invoices that match the list', async () => {
    const opened = session({ documents: 20 });
    const invoices = (await list(opened)).documents.filter(({ filename }) => filename.endsWith('.xml'));
    expect(invoices).toHaveLength(4);
    for (const ref of invoices) {
      const { stream, mimeType, size } = await sandbox.download(opened, ref);
      const xml = await buffer(stream);
      expect([mimeType, size]).toEqual(['application/xml', xml.length]);
      const read = readXmlInvoice(xml);
      const { source: _, ...listed } = ref.metadata;
      expect(read).toMatchObject({
        documentType: 'invoice',
        metadata: { ...listed, e_invoice: { format: 'XRECHNUNG', valid: true } },
      });
    }
  });

  it('have identical bytes every time', async () => {
    for (const [i, ref] of (await list(session())).documents.entries()) {
      const again = (await list(session())).documents[i]!;
      expect((await bytesOf(session(), ref)).equals(await bytesOf(session(), again))).toBe(true);
    }
  });

  it('have different bytes with the same content when rendered again', async () => {
    const opened = session({ scenario: 'rerendered' });
    const first = await list(opened);
    const second = await list(opened, first.cursor);
    for (const ref of first.documents) {
      const again = second.documents.find((document) => document.externalId === ref.externalId)!;
      const [before, after] = [await bytesOf(opened, ref), await bytesOf(opened, again)];
      expect(after.equals(before)).toBe(false);
      if (ref.filename.endsWith('.pdf')) expect(await textOf(after)).toContain(await textOf(before));
      else expect(readXmlInvoice(after)).toEqual(readXmlInvoice(before));
    }
  });

  it('stay readable PDFs at every size, exact from 3 KiB on', async () => {
    const document = fixtureDocument('demo', 1, initialDate(1));
    const pdf = await renderPdf(document, 1);
    expect(pdf.length).toBeLessThan(3 * 1024 - 10);
    const sizes = [...Array(140).keys()].map((i) => 3 * 1024 + i);
    for (const size of [...sizes, 64 * 1024, 128 * 1024 + 1, 99_999, 100_000, 100_001, 1_000_003]) {
      const stretched = stretchPdf(pdf, size);
      const bytes = Buffer.concat([...stretched.chunks]);
      expect([bytes.length, stretched.size]).toEqual([size, size]);
      const startxref = Number(/startxref\n(\d+)\n%%EOF\n$/.exec(bytes.subarray(-40).toString())![1]);
      expect(bytes.subarray(startxref, startxref + 5).toString()).toBe('xref\n');
      if (size % 7 === 0 || size > 64_000) expect(await textOf(bytes)).toContain(document.number);
    }
    expect(Buffer.concat([...stretchPdf(pdf, 100).chunks]).equals(pdf)).toBe(true);
  });

  it('stream 100 MiB in constant memory', async () => {
    const opened = session({ documents: 1, document_size_kb: 102_400 });
    const [ref] = (await list(opened)).documents;
    const held = (): number => process.memoryUsage().arrayBuffers + process.memoryUsage().heapUsed;
    const before = held();
    const { stream, size } = await sandbox.download(opened, ref!);
    const hash = createHash('sha256');
    let [length, most] = [0, 0];
    for await (const chunk of stream) {
      length += (chunk as Buffer).length;
      hash.update(chunk as Buffer);
      most = Math.max(most, held());
    }
    expect([length, size]).toEqual([104_857_600, 104_857_600]);
    expect(most - before).toBeLessThan(24 * 1024 * 1024);
  });

  it('end when the signal aborts a download', async () => {
    const controller = new AbortController();
    const opened = session({ documents: 1, document_size_kb: 10_000 }, controller.signal);
    const [ref] = (await list(opened)).documents;
    const { stream } = await sandbox.download(opened, ref!);
    let length = 0;
    const reading = (async () => {
      for await (const chunk of stream) {
        length += (chunk as Buffer).length;
        controller.abort();
      }
    })();
    await expect(reading).rejects.toMatchObject({ name: 'AbortError' });
    expect(length).toBeLessThan(1_000_000);
  });
});

describe('unavailable documents', () => {
  it.each([
    ['broken_document', false],
    ['unreadable_document', true],
  ])('%s makes one of them fail', async (scenario, permanent) => {
    const opened = session({ scenario });
    const [broken, ...whole] = (await list(opened)).documents;
    const failure = await sandbox.download(opened, broken!).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(DocumentUnavailable);
    expect(failure).toMatchObject({ permanent });
    for (const ref of whole) expect((await bytesOf(opened, ref)).length).toBeGreaterThan(1_000);
    // After the portal recovers, the same reference works.
    expect(await bytesOf(session(), broken!)).toHaveLength(50 * 1024);
  });

  it.each([1, 50, 1_000])('broken_download ends within %i KiB', async (document_size_kb) => {
    const opened = session({ scenario: 'broken_download', document_size_kb });
    const [broken, whole] = (await list(opened)).documents;
    const { stream, size } = await sandbox.download(opened, broken!);
    let length = 0;
    const reading = (async () => {
      for await (const chunk of stream) length += (chunk as Buffer).length;
    })();
    await expect(reading).rejects.toBeInstanceOf(Transient);
    expect(length).toBe(Math.floor(size! / 2));
    expect((await bytesOf(opened, whole!)).length).toBeGreaterThan(1_000);
  });
});
