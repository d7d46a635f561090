import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { ContainerUnreadable } from '../container';
import { ZipArchive } from './zip-archive';

const sample = (name: string) => readFileSync(join(__dirname, '../../../../../../test/samples/encrypted', name));
const FIRST = Buffer.from('%PDF-1.7 Rechnung 1\n%%EOF\n');
const SECOND = Buffer.from(`%PDF-1.7 Rechnung 2 ${'x'.repeat(3000)}\n%%EOF\n`);

async function contents(archive: ZipArchive): Promise<Record<string, Buffer>> {
  const { files } = await archive.contents('documents');
  const read = await Promise.all(files.map(async (file) => [file.name!, await buffer(file.read())] as const));
  return Object.fromEntries(read);
}

describe('an encrypted zip archive', () => {
  it.each([
    ['aes-256.zip', ['Rechnung#2026'], { 'Rechnung 1.pdf': FIRST, 'Rechnung 2.pdf': SECOND }],
    ['aes-128-stored.zip', ['geheim'], { 'Rechnung 1.pdf': FIRST, 'Rechnung 2.pdf': SECOND }],
    ['zip-crypto.zip', ['geheim'], { 'Rechnung 1.pdf': FIRST, 'Rechnung 2.pdf': SECOND }],
    ['latin-1.zip', ['Größe-7'], { 'Rechnung 1.pdf': FIRST }],
    ['mixed.zip', ['geheim', 'anders'], { 'Rechnung 1.pdf': FIRST, 'Rechnung 2.pdf': SECOND }],
  ])('%s is opened with the passwords %j among others', async (name, passwords, expected) => {
    const archive = await ZipArchive.open(sample(name), ['falsch', '2026', ...passwords, 'noch eines']);
    expect(await contents(archive)).toEqual(expected);
  });

  it.each([
    ['aes-256.zip', []],
    ['aes-256.zip', ['geheim', 'rechnung#2026', '']],
    ['zip-crypto.zip', ['Geheim']],
    ['mixed.zip', ['geheim']],
  ])('%s is unreadable with the passwords %j', async (name, passwords) => {
    await expect(ZipArchive.open(sample(name), passwords)).rejects.toThrow(ContainerUnreadable);
  });

  it('is not opened with a password that only passes the check byte of ZipCrypto', async () => {
    const wrong = ['falsch-9', 'falsch-80']; // they pass for the first file
    await expect(ZipArchive.open(sample('zip-crypto.zip'), wrong)).rejects.toThrow(ContainerUnreadable);
    expect(await contents(await ZipArchive.open(sample('zip-crypto.zip'), [...wrong, 'geheim']))).toEqual({
      'Rechnung 1.pdf': FIRST,
      'Rechnung 2.pdf': SECOND,
    });
  });

  it('fails for a file whose content is larger than stated', async () => {
    const bytes = sample('aes-256.zip');
    const second = bytes.indexOf('PK\x01\x02', bytes.indexOf('PK\x01\x02', 0, 'latin1') + 1, 'latin1');
    bytes.writeUInt32LE(100, second + 24);
    bytes.writeUInt32LE(100, bytes.lastIndexOf('PK\x03\x04', second, 'latin1') + 22);
    const { files } = await (await ZipArchive.open(bytes, ['Rechnung#2026'])).contents('documents');
    expect(await buffer(files[0]!.read())).toEqual(FIRST);
    await expect(buffer(files[1]!.read())).rejects.toThrow(ContainerUnreadable);
  });

  it('fails for a file whose content was changed', async () => {
    const bytes = sample('aes-128-stored.zip');
    bytes[bytes.indexOf('Rechnung 1.pdf') + 50]! ^= 1;
    const { files } = await (await ZipArchive.open(bytes, ['geheim'])).contents('documents');
    await expect(buffer(files[0]!.read())).rejects.toThrow(ContainerUnreadable);
    expect(await buffer(files[1]!.read())).toEqual(SECOND);
  });

  it('is closed when only its beginning is read', async () => {
    const { files } = await (await ZipArchive.open(sample('aes-256.zip'), ['Rechnung#2026'])).contents('documents');
    for await (const part of files[1]!.read()) {
      expect(SECOND.subarray(0, part.length)).toEqual(part);
      break;
    }
    expect(await buffer(files[1]!.read())).toEqual(SECOND);
  });
});
