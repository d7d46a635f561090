import { crc32 } from 'node:zlib';
import { extract, type Entry } from 'tar-stream';
import { addFiltered, filteredBy } from '../../../../core/filter-reason';
import type { AttachmentChoice } from '../../parts/kinds/attachment-choice';
import { MAX_FILES, type ContainerContent, ContainerUnreadable } from '../container';
import { archiveContents, type ArchiveEntry } from './archive-contents';

/** Links lead to other files of the archive, or out of it. */
const LINKS = ['link', 'symlink'];

/** Opens a tar archive (POSIX, GNU) in memory. Its files share the memory of `bytes`. @throws ContainerUnreadable */
export async function openTar(bytes: Buffer, choice: AttachmentChoice): Promise<ContainerContent> {
  const archive = extract();
  archive.end(bytes);
  const entries: ArchiveEntry[] = [];
  let links = 0;
  let index = 0;
  try {
    for await (const entry of archive) {
      if (++index > MAX_FILES) throw new ContainerUnreadable('It contains too many files.');
      if (LINKS.includes(entry.header.type ?? '')) links++;
      const content = await contentOf(entry);
      if (isFile(entry)) entries.push(entryOf(index, entry.header.name, content));
    }
  } catch (error) {
    if (error instanceof ContainerUnreadable) throw error;
    throw new ContainerUnreadable('It is not a valid tar archive.', { cause: error });
  }
  // Zeros alone are an archive, and so is a file that only looks like one.
  if (index === 0) throw new ContainerUnreadable('It contains no files.');
  const content = await archiveContents(entries, choice);
  return { ...content, filteredBy: addFiltered(content.filteredBy, filteredBy('LINK', links)) };
}

function isFile({ header: { type, name } }: Entry): boolean {
  return (type === 'file' || type === 'contiguous-file') && !name.endsWith('/');
}

function entryOf(index: number, path: string, content: Buffer): ArchiveEntry {
  return {
    index,
    path,
    size: content.length,
    crc32: crc32(content),
    read: async function* () {
      yield content;
    },
  };
}

async function contentOf(entry: Entry): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const part of entry as AsyncIterable<Buffer>) parts.push(part);
  return parts.length === 1 ? parts[0]! : Buffer.concat(parts);
}
