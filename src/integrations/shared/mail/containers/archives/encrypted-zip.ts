import type { FileEntry } from '@zip.js/zip.js';
import { ContainerUnreadable } from '../container';
import type { ArchiveEntry } from './archive-contents';

/** A file of a zip archive, by its position in the archive's directory. `size` is the stated unpacked one. */
type EncryptedEntry = Pick<ArchiveEntry, 'index' | 'size'>;

/** Everything in this process: workers would be started for each archive. */
const OPTIONS = { useWebWorkers: false, checkCrc32: true };

/**
 * The encrypted files of a zip archive in memory (ZipCrypto, and AES as by WinZip and 7-Zip), each with the password that opens it.
 * Unpacked while they are read.
 */
export class EncryptedZip {
  private constructor(private readonly opened: ReadonlyMap<number, { entry: FileEntry; rawPassword: Buffer }>) {}

  /** @throws ContainerUnreadable when no password fits, or the encryption is not supported */
  static async open(
    bytes: Buffer,
    encrypted: readonly EncryptedEntry[],
    passwords: readonly string[],
  ): Promise<EncryptedZip> {
    // Loaded when it is needed, because few archives are encrypted.
    const { ZipReader, Uint8ArrayReader } = await import('@zip.js/zip.js');
    const entries = await new ZipReader(new Uint8ArrayReader(bytes), OPTIONS).getEntries();
    const opened = new Map<number, { entry: FileEntry; rawPassword: Buffer }>();
    const candidates = passwords.flatMap(encodings);
    for (const { index, size } of encrypted) {
      const entry = entries[index];
      if (!entry || entry.directory) throw new ContainerUnreadable('Its directory is ambiguous.');
      const rawPassword = await fittingPassword(entry, size, candidates);
      if (!rawPassword) throw new ContainerUnreadable('It is encrypted, and no password fits.');
      // Files of one archive usually have the same password.
      candidates.splice(candidates.indexOf(rawPassword), 1);
      candidates.unshift(rawPassword);
      opened.set(index, { entry, rawPassword });
    }
    return new EncryptedZip(opened);
  }

  /** The unpacked content. @throws ContainerUnreadable, and what the library throws, while reading */
  read({ index, size }: EncryptedEntry): AsyncGenerator<Buffer> {
    const { entry, rawPassword } = this.opened.get(index)!;
    return contentOf(entry, size, rawPassword);
  }
}

/** Programs encode passwords in UTF-8, or in the encoding of the system. */
function encodings(password: string): Buffer[] {
  const latin1 = Buffer.from(password, 'latin1');
  const isAmbiguous = latin1.toString('latin1') === password && latin1.some((byte) => byte > 0x7f);
  return [Buffer.from(password), ...(isAmbiguous ? [latin1] : [])];
}

async function fittingPassword(
  entry: FileEntry,
  size: number,
  candidates: readonly Buffer[],
): Promise<Buffer | undefined> {
  for (const candidate of candidates) {
    if (await fits(entry, size, candidate)) return candidate;
  }
  return undefined;
}

/** ZipCrypto verifies one byte, so that only the checksum of the content is certain; AES verifies two, and authenticates the content. */
async function fits(entry: FileEntry, size: number, rawPassword: Buffer): Promise<boolean> {
  try {
    await entry.getData(new WritableStream(), { ...OPTIONS, rawPassword, checkPasswordOnly: true });
    if (entry.zipCrypto) for await (const _ of contentOf(entry, size, rawPassword));
    return true;
  } catch {
    return false;
  }
}

/** The library does not compare the size with the stated one, which a bomb exceeds. */
async function* contentOf(entry: FileEntry, size: number, rawPassword: Buffer): AsyncGenerator<Buffer> {
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
  const failed = entry.getData(writable, { ...OPTIONS, rawPassword }).then(
    () => undefined,
    (error: unknown) => (error instanceof Error ? error : new ContainerUnreadable('Reading was aborted.')),
  );
  let read = 0;
  for await (const { buffer, byteOffset, byteLength } of readable) {
    read += byteLength;
    if (read > size) throw new ContainerUnreadable('A file is larger than stated.');
    yield Buffer.from(buffer, byteOffset, byteLength);
  }
  const error = await failed;
  if (error) throw error;
  if (read < size) throw new ContainerUnreadable('A file is smaller than stated.');
}
