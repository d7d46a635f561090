import { type Entry, fromBufferPromise, getFileNameLowLevel, type ZipFile } from 'yauzl';
import { kindOf } from '../parts/document-kinds';
import { MAX_FILES, type ContainedFile, ContainerUnreadable } from './container';

/** A file that claims more once it is unpacked is a bomb, or nobody's invoice. */
export const MAX_UNPACKED_BYTES = 100 * 1024 * 1024;
/** Of all files together: ten times what is looked into. */
const MAX_ALL_UNPACKED_BYTES = 250 * 1024 * 1024;
/** Of a file's own header, before its name and its bytes (APPNOTE.TXT 4.3.7). */
const LOCAL_HEADER_BYTES = 30;

/** A file in an archive; folders are left out. */
export interface ZipEntry {
  /** Its place in the archive's directory, which never changes. */
  readonly index: number;
  /** With its folders, as the archive has it. */
  readonly path: string;
  /** Bytes once unpacked, as the directory says; what unpacks to more or less fails on the way. */
  readonly size: number;
  readonly crc32: number;
}

/**
 * A zip archive (APPNOTE.TXT) in memory. Names are UTF-8 or CP437, as their flag says. Whether the bytes of a file are
 * those that its checksum was made of is not looked at: the transport has its own.
 */
export class ZipArchive {
  private constructor(
    private readonly file: ZipFile,
    private readonly found: readonly Entry[],
    readonly entries: readonly ZipEntry[],
  ) {}

  /** @throws ContainerUnreadable */
  static async open(bytes: Buffer): Promise<ZipArchive> {
    try {
      const file = await fromBufferPromise(bytes, { autoClose: false, decodeStrings: false, validateEntrySizes: true });
      if (file.entryCount > MAX_FILES) throw new ContainerUnreadable(`${file.entryCount} files are too many.`);
      const found: Entry[] = [];
      for await (const entry of file.eachEntry()) found.push(entry);
      assertSafe(found);
      return new ZipArchive(
        file,
        found,
        found.map(zipEntryOf).filter((entry) => !isSystemEntry(entry.path)),
      );
    } catch (error) {
      throw unreadable(error);
    }
  }

  /** The files that may be documents, or hold some. */
  get documents(): ContainedFile[] {
    return this.entries.flatMap((entry) => {
      const name = entry.path.split(/[/\\]/).at(-1)!;
      const kind = kindOf('', name);
      return kind ? [{ ...entry, name, kind, read: () => this.read(entry) }] : [];
    });
  }

  /** The unpacked bytes. @throws ContainerUnreadable while they are read */
  async *read({ index }: Pick<ZipEntry, 'index'>): AsyncGenerator<Buffer> {
    try {
      yield* (await this.file.openReadStreamPromise(this.found[index]!)) as AsyncIterable<Buffer>;
    } catch (error) {
      throw unreadable(error);
    }
  }
}

/** Files that share their bytes are many in a small archive, each of any size. @throws ContainerUnreadable */
function assertSafe(entries: readonly Entry[]): void {
  const unpacked = entries.reduce((sum, { uncompressedSize }) => sum + uncompressedSize, 0);
  if (unpacked > MAX_ALL_UNPACKED_BYTES) throw new ContainerUnreadable('The files in it are too large together.');
  let end = 0;
  for (const entry of entries.toSorted((a, b) => a.relativeOffsetOfLocalHeader - b.relativeOffsetOfLocalHeader)) {
    if (entry.relativeOffsetOfLocalHeader < end) throw new ContainerUnreadable('Files in it lie one in another.');
    end = entry.relativeOffsetOfLocalHeader + LOCAL_HEADER_BYTES + entry.compressedSize;
  }
}

/** @throws ContainerUnreadable for a file that cannot be unpacked */
function zipEntryOf(entry: Entry, index: number): ZipEntry {
  const path = getFileNameLowLevel(entry.generalPurposeBitFlag, entry.fileNameRaw, entry.extraFields, false);
  if (!path.endsWith('/') && !entry.canDecodeFileData())
    throw new ContainerUnreadable('It is encrypted or packed oddly.');
  if (entry.uncompressedSize > MAX_UNPACKED_BYTES) throw new ContainerUnreadable('A file in it is too large.');
  return { index, path, size: entry.uncompressedSize, crc32: entry.crc32 };
}

/** Folders, and what macOS and other systems put beside the files. */
function isSystemEntry(path: string): boolean {
  return /(^|\/)(__MACOSX\/|\._)|\/$/.test(path);
}

function unreadable(error: unknown): ContainerUnreadable {
  if (error instanceof ContainerUnreadable) return error;
  return new ContainerUnreadable('It is no zip archive, or a broken one.', { cause: error });
}
