import { HEAD_BYTES, isTypeUnknown } from '../../../../../documents/detection/mime-type';
import { countReasons, type FilterReason } from '../../../../core/filter-reason';
import { type AttachmentChoice, optionalKind, optionalKindByContent } from '../../parts/kinds/attachment-choice';
import { kindByContent, kindOf } from '../../parts/kinds/document-kinds';
import type { Kind } from '../../parts/kinds/kinds';
import { type ContainedFile, type ContainerContent, ContainerUnreadable } from '../container';

/** A file in an archive; folders are left out. */
export interface ArchiveEntry {
  /** Its permanent position in the archive. */
  readonly index: number;
  /** Its path in the archive. */
  readonly path: string;
  /** The unpacked size in bytes; reading fails when the actual size differs. */
  readonly size: number;
  readonly crc32: number;
  /** The unpacked content. @throws ContainerUnreadable while reading */
  read(): AsyncIterable<Buffer>;
}

/** The files that are taken, or that may contain documents. The content decides for a name that says nothing. */
export async function archiveContents(
  entries: readonly ArchiveEntry[],
  choice: AttachmentChoice,
): Promise<ContainerContent> {
  const files: ContainedFile[] = [];
  const others: FilterReason[] = [];
  for (const entry of entries) {
    const name = entry.path.split(/[/\\]/).at(-1)!;
    const kind = await kindOfEntry(entry, name, choice);
    if (typeof kind === 'string') others.push(kind);
    else files.push({ ...entry, name, kind, read: () => entry.read() });
  }
  return { files, filteredBy: countReasons(others) };
}

async function kindOfEntry(entry: ArchiveEntry, name: string, choice: AttachmentChoice): Promise<Kind | FilterReason> {
  if (isSystemFile(entry.path)) return 'SYSTEM_FILE';
  const named = kindOf('', name);
  if (named) return named;
  if (!isTypeUnknown('', name) || entry.size === 0) return optionalKind(choice, '', name) ?? 'TYPE';
  try {
    const head = await headOf(entry.read());
    return (await kindByContent(head)) ?? (await optionalKindByContent(choice, head)) ?? 'TYPE';
  } catch (error) {
    if (error instanceof ContainerUnreadable) return 'UNREADABLE';
    throw error;
  }
}

/** The first bytes of a content. */
export async function headOf(content: AsyncIterable<Buffer>): Promise<Buffer> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of content) {
    parts.push(part);
    size += part.length;
    if (size >= HEAD_BYTES) break;
  }
  return Buffer.concat(parts);
}

/** Files that macOS adds. */
function isSystemFile(path: string): boolean {
  return /(^|\/)(__MACOSX\/|\._)/.test(path);
}
