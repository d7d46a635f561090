import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { setImmediate as turn } from 'node:timers/promises';
import { ZipFile } from 'yazl';
import { aMail } from '../../../../test/builders/mail-builder';
import { eventually } from '../../../../test/harness/eventually';
import type { DocumentRef, Json, SourceDocument } from '../../core/source-document';
import { Transient } from '../../core/source-errors';
import type { AttachmentLocator } from './parts/attachments';
import { ContainerAttachments } from './container-attachments';
import type { Contained } from './contained-locator';

const MiB = 1024 * 1024;
const PDF = Buffer.from('%PDF-1.7\nInvoice 4711\n%%EOF\n');

type Locator = AttachmentLocator & { readonly name: string };

/** A mailbox of attachments with this stated size; `opened` counts how often each was read. */
function mailbox(content: Buffer, mimeType: string, size: number) {
  const opened = new Map<string, number>();
  const wrappers = new ContainerAttachments<Locator>({
    locatorOf: (stored: Json) => stored as Locator,
    keyOf: ({ name }) => name,
    sizeOf: () => size,
    open: ({ name }) => {
      opened.set(name, (opened.get(name) ?? 0) + 1);
      if (name.startsWith('lost')) return Promise.reject(new Transient('The server is away.'));
      return Promise.resolve({ stream: Readable.from([content]), filename: name, mimeType });
    },
  });
  const ref = (name: string): DocumentRef => ({
    dedupeKey: name,
    externalId: null,
    filename: name,
    metadata: {},
    locator: { name, mimeType },
  });
  const open = (file: DocumentRef) => wrappers.openFile(file, file.locator as Contained<Locator>);
  return { wrappers, ref, open, opened };
}

const names = (count: number, of = 'attachment') => Array.from({ length: count }, (_, n) => `${of} ${n}`);

async function zip(count: number): Promise<Buffer> {
  const archive = new ZipFile();
  for (const name of names(count)) archive.addBuffer(PDF, `${name}.pdf`);
  archive.end();
  return buffer(archive.outputStream);
}

/** A small archive with a mail that has a PDF and this number of bytes of text. */
async function zippedMail(length: number): Promise<Buffer> {
  const mail = aMail()
    .text('x'.repeat(length))
    .attach({ content: PDF, mimeType: 'application/pdf', filename: 'inside.pdf' });
  const archive = new ZipFile();
  archive.addBuffer(mail.build(), 'mail.eml');
  archive.end();
  return buffer(archive.outputStream);
}

/** The opened containers, in order. */
function opening(documents: readonly Promise<SourceDocument>[]): SourceDocument[] {
  const open: SourceDocument[] = [];
  for (const each of documents) void each.then((document) => open.push(document));
  return open;
}

/** The limit is two: another one is opened each time that one has been read. */
async function expectTwoAtATime(documents: readonly Promise<SourceDocument>[]): Promise<void> {
  const opened = opening(documents);
  for (let n = 0; n < documents.length; n++) {
    const atOnce = Math.min(n + 2, documents.length);
    await eventually(() => Promise.resolve(opened.length === atOnce), `${atOnce} have been opened`);
    await turn();
    expect(opened).toHaveLength(atOnce);
    expect(await buffer(opened[n]!.stream)).toEqual(PDF);
  }
}

it('limits containers in memory, and opens others as streams close', async () => {
  const { wrappers, ref, open } = mailbox(await zip(1), 'application/zip', 20 * MiB);
  const { documents: files } = await wrappers.extract(names(7).map(ref));
  await expectTwoAtATime(files.map(open));
});

it('loads a container once for all its files, and caches it until the memory is needed', async () => {
  const { wrappers, ref, open, opened } = mailbox(await zip(50), 'application/zip', 25 * MiB);
  const { documents: files } = await wrappers.extract([ref('a'), ref('b')]);
  const contents = await Promise.all(files.map(async (file) => buffer((await open(file)).stream)));
  expect(contents).toEqual(files.map(() => PDF));
  expect(Object.fromEntries(opened)).toEqual({ a: 1, b: 1 });
  await wrappers.extract([ref('c'), ref('b'), ref('a')]);
  expect(Object.fromEntries(opened)).toEqual({ a: 2, b: 1, c: 1 });
});

it('does not deadlock with nested containers', async () => {
  const signed = readFileSync(join(__dirname, '../../../../test/samples/smime/signed-zip.p7m'));
  const { wrappers, ref, open, opened } = mailbox(signed, 'application/pkcs7-mime', 25 * MiB);
  const { documents: files } = await wrappers.extract(names(6).map(ref));
  const contents = await Promise.all(files.map(async (file) => buffer((await open(file)).stream)));
  expect(contents).toEqual(names(6).map(() => PDF));
  expect(Math.max(...opened.values())).toBeLessThanOrEqual(2);
});

it('limits packed containers in memory, however small their archives are', async () => {
  const { wrappers, ref, open, opened: read } = mailbox(await zippedMail(20 * MiB), 'application/zip', 20_000);
  const { documents: files } = await wrappers.extract(names(5).map(ref));
  expect(files.map(({ filename }) => filename)).toEqual(names(5).map(() => 'inside.pdf'));
  await expectTwoAtATime(files.map(open));
  expect(Math.max(...read.values())).toBe(1);
});

it('releases the memory of a failed load, and retries on the next request', async () => {
  const { wrappers, ref, open, opened } = mailbox(await zip(1), 'application/zip', 25 * MiB);
  const [file] = (await wrappers.extract([ref('a')])).documents;
  const lost = names(3, 'lost').map((name) => ({ ...file!, locator: { ...(file!.locator as Locator), name } }));
  for (let n = 0; n < 2; n++) {
    const outcomes = await Promise.allSettled([...lost, file!].map(open));
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected', 'fulfilled']);
    expect(outcomes[0]).toMatchObject({ reason: expect.any(Transient) });
  }
  expect(opened.get('lost 0')).toBe(2);
});

it('assumes the maximum size for a container of unknown size', async () => {
  const { wrappers, ref, open } = mailbox(await zip(1), 'application/zip', 0);
  const { documents: files } = await wrappers.extract(names(3).map(ref));
  const opened = opening(files.map(open));
  await eventually(() => Promise.resolve(opened.length === 2), 'two are open');
  await turn();
  expect(opened).toHaveLength(2);
  opened[0]!.stream.destroy();
  await eventually(() => Promise.resolve(opened.length === 3), 'the third one is open');
});
