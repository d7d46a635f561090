import { type Entry, fromBufferPromise, getFileNameLowLevel, type ZipFile } from 'yauzl';
import type { AttachmentChoice } from '../../parts/kinds/attachment-choice';
import { archiveContents, type ArchiveEntry } from './archive-contents';
import { EncryptedZip } from './encrypted-zip';
import { MAX_FILES, MAX_UNPACKED_BYTES, type ContainerContent, ContainerUnreadable } from '../container';

/** The maximum unpacked size of all files: ten times that of a container. */
const MAX_ALL_UNPACKED_BYTES = 250 * 1024 * 1024;
/** The size of a file's local header, before its name and content (APPNOTE.TXT 4.3.7). */
const LOCAL_HEADER_BYTES = 30;

/** A file in the archive, by its permanent position in the archive's directory. */
export type ZipEntry = Omit<ArchiveEntry, 'read'>;

/**
 * A zip archive (APPNOTE.TXT) in memory. Names are UTF-8 or CP437, according to their flag. Checksums are not verified, because the
 * transport protects integrity.
 */
export class ZipArchive {
  private constructor(
    private readonly file: ZipFile,
    private readonly found: readonly Entry[],
    readonly entries: readonly ZipEntry[],
    private readonly encrypted: EncryptedZip | undefined,
  ) {}

  /** `passwords` are tried where files are encrypted. @throws ContainerUnreadable */
  static async open(bytes: Buffer, passwords: readonly string[] = []): Promise<ZipArchive> {
    try {
      const file = await fromBufferPromise(bytes, { autoClose: false, decodeStrings: false, validateEntrySizes: true });
      if (file.entryCount > MAX_FILES) throw new ContainerUnreadable(`${file.entryCount} files exceed the limit.`);
      const found: Entry[] = [];
      for await (const entry of file.eachEntry()) found.push(entry);
      assertSafe(found);
      const entries = found.map(zipEntryOf).filter(({ path }) => !path.endsWith('/'));
      const locked = entries.filter(({ index }) => found[index]!.isEncrypted());
      for (const { index } of entries) assertDecodable(found[index]!, passwords);
      const encrypted = locked.length > 0 ? await EncryptedZip.open(bytes, locked, passwords) : undefined;
      return new ZipArchive(file, found, entries, encrypted);
    } catch (error) {
      throw unreadable(error);
    }
  }

  /** The files that are taken, or that may contain documents. */
  contents(choice: AttachmentChoice): Promise<ContainerContent> {
    return archiveContents(
      this.entries.map((entry) => ({ ...entry, read: () => this.read(entry) })),
      choice,
    );
  }

  /** The unpacked content. @throws ContainerUnreadable while reading */
  async *read({ index, size }: Pick<ZipEntry, 'index' | 'size'>): AsyncGenerator<Buffer> {
    const entry = this.found[index]!;
    try {
      if (entry.isEncrypted()) yield* this.encrypted!.read({ index, size });
      else yield* (await this.file.openReadStreamPromise(entry)) as AsyncIterable<Buffer>;
    } catch (error) {
      throw unreadable(error);
    }
  }
}

/** Refuses archives that are too large unpacked, or whose files overlap, as in zip bombs. @throws ContainerUnreadable */
function assertSafe(entries: readonly Entry[]): void {
  const unpacked = entries.reduce((sum, { uncompressedSize }) => sum + uncompressedSize, 0);
  if (unpacked > MAX_ALL_UNPACKED_BYTES) throw new ContainerUnreadable('The total size of its files is too large.');
  let end = 0;
  for (const entry of entries.toSorted((a, b) => a.relativeOffsetOfLocalHeader - b.relativeOffsetOfLocalHeader)) {
    if (entry.relativeOffsetOfLocalHeader < end) throw new ContainerUnreadable('Its files overlap.');
    end = entry.relativeOffsetOfLocalHeader + LOCAL_HEADER_BYTES + entry.compressedSize;
  }
}

/** Whether an encrypted file uses a supported compression is only known when it is opened. @throws ContainerUnreadable */
function assertDecodable(entry: Entry, passwords: readonly string[]): void {
  const isDecodable = entry.isEncrypted() ? passwords.length > 0 : entry.canDecodeFileData();
  if (!isDecodable) throw new ContainerUnreadable('It is encrypted or uses an unsupported compression.');
}

/** @throws ContainerUnreadable for a file that is too large */
function zipEntryOf(entry: Entry, index: number): ZipEntry {
  const path = getFileNameLowLevel(entry.generalPurposeBitFlag, entry.fileNameRaw, entry.extraFields, false);
  if (entry.uncompressedSize > MAX_UNPACKED_BYTES) throw new ContainerUnreadable('One of its files is too large.');
  return { index, path, size: entry.uncompressedSize, crc32: entry.crc32 };
}

function unreadable(error: unknown): ContainerUnreadable {
  if (error instanceof ContainerUnreadable) return error;
  return new ContainerUnreadable('It is not a valid zip archive.', { cause: error });
}
