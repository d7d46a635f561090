import { spawnSync } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describeDocument, type DocumentDescription } from '../../../src/documents/extraction/describe-document';
import { EInvoiceDetector } from '../../../src/documents/detection/e-invoice-detector';
import { HEAD_BYTES } from '../../../src/documents/detection/mime-type';
import { ParserWorkerPool } from '../../../src/documents/extraction/parser-worker-pool';
import { pdfWith } from '../../samples/e-invoices/pdf-with';
import { sample } from '../../samples/e-invoices/sample';

const MISSING = 'qpdf is not installed. This suite needs it: apt-get update && apt-get install -y qpdf';

const threads = new ParserWorkerPool(1, 30_000);
let home: string;

beforeAll(async () => {
  if (spawnSync('qpdf', ['--version']).status !== 0) throw new Error(MISSING);
  home = await mkdtemp(join(tmpdir(), 'qpdf-'));
  await writeFile(join(home, 'in.pdf'), await pdfWith({ attachments: { 'factur-x.xml': sample('cii-invoice') } }));
});
afterAll(async () => {
  await threads.close();
  await rm(home, { recursive: true, force: true });
});

/** Encrypts a ZUGFeRD invoice with qpdf and describes the result as a fetch does. */
async function described(
  how: readonly (readonly string[])[],
  passwords: readonly string[] = [],
): Promise<DocumentDescription> {
  const { status, stderr } = spawnSync('qpdf', [...how.flat(), 'in.pdf', 'out.pdf'], { cwd: home });
  if (status !== 0) throw new Error(`qpdf: ${stderr.toString()}`);
  const bytes = await readFile(join(home, 'out.pdf'));
  const marks = new EInvoiceDetector();
  for await (const chunk of marks.scan(pieces(bytes))) expect(chunk.length).toBeGreaterThan(0);
  const whole = () => Promise.resolve(bytes);
  const { found: marked } = marks;
  const head = bytes.subarray(0, Math.min(HEAD_BYTES, 500));
  return describeDocument(
    { head, size: bytes.length, filename: 'r.pdf', marked, readsText: false, passwords, whole },
    threads,
  );
}

async function* pieces(bytes: Buffer): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += 700) yield bytes.subarray(at, at + 700);
}

const LAYOUTS = ['--object-streams=disable', '--object-streams=generate', '--linearize'];
const weak = '--allow-weak-crypto';

describe.each(LAYOUTS)('A PDF written by qpdf (%s)', (layout) => {
  it.each([
    ['RC4 of 40 bits', [weak, '--encrypt', 'user', 'owner', '40', '--']],
    ['RC4 of 128 bits', [weak, '--encrypt', 'user', 'owner', '128', '--use-aes=n', '--']],
    ['AES of 128 bits', [weak, '--encrypt', 'user', 'owner', '128', '--use-aes=y', '--']],
    ['AES of 256 bits', ['--encrypt', 'user', 'owner', '256', '--']],
    [
      'AES of 256 bits, the metadata left readable',
      ['--encrypt', 'user', 'owner', '256', '--cleartext-metadata', '--'],
    ],
  ])('is opened with a stored password only, and marked as encrypted (protected by %s)', async (_, how) => {
    const locked = { mimeType: 'application/pdf', metadata: { encrypted: true } };
    expect(await described([[layout], how])).toEqual(locked);
    expect(await described([[layout], how], ['wrong'])).toEqual(locked);
    for (const password of ['user', 'owner'])
      expect(await described([[layout], how], ['wrong', password])).toMatchObject({
        documentType: 'invoice',
        metadata: { encrypted: true, number: 'F-1001', e_invoice: { format: 'FACTURX' } },
      });
  });

  it.each([
    ['AES of 128 bits', [weak, '--encrypt', '', 'owner', '128', '--use-aes=y', '--']],
    ['AES of 256 bits', ['--encrypt', '', 'owner', '256', '--modify=none', '--']],
    ['nothing', []],
  ])('is read as an e-invoice when it opens without a password (protected by %s)', async (_, how) => {
    const { metadata } = await described([[layout], how], ['user']);
    expect(metadata).toMatchObject({
      number: 'F-1001',
      e_invoice: { format: 'FACTURX', ruleset: { name: 'EN 16931' } },
    });
    expect(metadata).not.toHaveProperty('encrypted');
  });
});
