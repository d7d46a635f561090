import { buffer } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import { pack } from 'tar-stream';
import { type ContainerContent, ContainerUnreadable } from '../container';
import { openGzip } from './gzip-file';
import { openTar } from './tar-archive';

const PDF = Buffer.from('%PDF-1.7 Rechnung\n%%EOF\n');
const MiB = 1024 * 1024;

async function tar(files: readonly (readonly [name: string, content: Buffer])[]): Promise<Buffer> {
  const archive = pack();
  for (const [name, content] of files) archive.entry({ name }, content);
  archive.finalize();
  const parts: Buffer[] = [];
  for await (const part of archive as AsyncIterable<Buffer>) parts.push(part);
  return Buffer.concat(parts);
}

const names = ({ files }: ContainerContent) => files.map(({ name }) => name);

describe('a tar archive', () => {
  it('has the documents in it, with their bytes and without their folders', async () => {
    const long = `${'Ordner/'.repeat(30)}Rechnung März.pdf`;
    const content = await openTar(
      await tar([
        ['2026/', Buffer.alloc(0)],
        [long, PDF],
        ['notes.txt', PDF],
        ['Beleg', PDF],
        ['Notiz', Buffer.from('x')],
      ]),
      'documents',
    );
    expect(names(content)).toEqual(['Rechnung März.pdf', 'Beleg']);
    expect(await buffer(content.files[0]!.read())).toEqual(PDF);
    expect(content.filteredBy).toEqual({ TYPE: 2 });
  });

  it.each<[string, (whole: Buffer) => Buffer]>([
    ['cut off', (whole) => whole.subarray(0, 700)],
    ['damaged', (whole) => Buffer.concat([whole.subarray(0, 100), Buffer.alloc(500, 'x'), whole.subarray(600)])],
    ['empty', () => Buffer.alloc(1024)],
    ['no archive', () => PDF],
  ])('that is %s is unreadable', async (_what, spoil) => {
    await expect(openTar(spoil(await tar([['a.pdf', Buffer.alloc(900)]])), 'documents')).rejects.toThrow(
      ContainerUnreadable,
    );
  });

  it('with too many files is unreadable', async () => {
    const files = Array.from({ length: 1_001 }, (_, n) => [`${n}.pdf`, PDF] as const);
    await expect(openTar(await tar(files), 'documents')).rejects.toThrow(ContainerUnreadable);
  });
});

describe('a gzip file', () => {
  it('has one file, which is identified by its content', async () => {
    const { files } = await openGzip(gzipSync(PDF), 'documents');
    expect(files).toMatchObject([{ kind: { mimeType: 'application/pdf' }, size: PDF.length }]);
    expect(await buffer(files[0]!.read())).toEqual(PDF);
  });

  it('may have several members', async () => {
    const { files } = await openGzip(Buffer.concat([gzipSync(PDF), gzipSync(PDF)]), 'documents');
    expect(await buffer(files[0]!.read())).toEqual(Buffer.concat([PDF, PDF]));
  });

  it('has the name in its header', async () => {
    const packed = gzipSync(Buffer.from('a;b\n1;2\n'));
    packed[3] = 8;
    const named = Buffer.concat([packed.subarray(0, 10), Buffer.from('tmp/Umsätze.csv\0'), packed.subarray(10)]);
    expect(names(await openGzip(named, 'office'))).toEqual(['Umsätze.csv']);
    expect(await openGzip(named, 'documents')).toEqual({ files: [], filteredBy: { TYPE: 1 } });
  });

  it.each<[string, () => Buffer]>([
    ['cut off', () => gzipSync(Buffer.alloc(90_000, 'x')).subarray(0, 60)],
    ['no gzip file', () => PDF],
    ['a bomb', () => gzipSync(Buffer.concat([PDF, Buffer.alloc(101 * MiB)]))],
  ])('that is %s is unreadable', async (_what, build) => {
    await expect(openGzip(build(), 'documents')).rejects.toThrow(ContainerUnreadable);
  });

  it('with a tar archive that does not fit into memory is unreadable', async () => {
    const packed = gzipSync(await tar([['a.pdf', Buffer.alloc(26 * MiB)]]));
    await expect(openGzip(packed, 'documents')).rejects.toThrow(ContainerUnreadable);
  });
});
