import { crc32, createGunzip } from 'node:zlib';
import { HEAD_BYTES } from '../../../../../documents/detection/mime-type';
import { filteredBy, NOTHING_FILTERED } from '../../../../core/filter-reason';
import { type AttachmentChoice, optionalKind, optionalKindByContent } from '../../parts/kinds/attachment-choice';
import { isTar, kindByContent, kindOf } from '../../parts/kinds/document-kinds';
import type { Kind } from '../../parts/kinds/kinds';
import { type ContainerContent, ContainerUnreadable, MAX_CONTAINER_BYTES, MAX_UNPACKED_BYTES } from '../container';

/** RFC 1952 section 2.3: the flags of a header that is followed by other fields, or by the name. */
const EXTRA = 4;
const NAME = 8;
const HEADER_BYTES = 10;
const MAX_NAME = 255;

/**
 * Opens a gzip file (RFC 1952), whose only file is unpacked while it is read: memory holds the packed bytes only. A tar archive in it
 * has to fit into memory.
 * @throws ContainerUnreadable
 */
export async function openGzip(bytes: Buffer, choice: AttachmentChoice): Promise<ContainerContent> {
  const { size, checksum, head } = await measure(bytes);
  const name = nameIn(bytes);
  const kind = await kindOfFile(head, name, choice);
  if (!kind) return { files: [], filteredBy: filteredBy(size === 0 ? 'EMPTY' : 'TYPE', 1) };
  if (isTar(kind.mimeType) && size > MAX_CONTAINER_BYTES)
    throw new ContainerUnreadable('The archive in it is too large.');
  const file = { index: 0, kind, size, crc32: checksum, read: () => unpack(bytes), ...(name && { name }) };
  return { files: [file], filteredBy: NOTHING_FILTERED };
}

async function kindOfFile(head: Buffer, name: string | undefined, choice: AttachmentChoice): Promise<Kind | undefined> {
  const found = (await kindByContent(head)) ?? kindOf('', name);
  return found ?? optionalKind(choice, '', name) ?? optionalKindByContent(choice, head);
}

/** The trailer states the size modulo 4 GiB of the last of perhaps several members, so that only unpacking tells. */
async function measure(bytes: Buffer): Promise<{ size: number; checksum: number; head: Buffer }> {
  const head: Buffer[] = [];
  let size = 0;
  let checksum = 0;
  for await (const part of unpack(bytes)) {
    if (size < HEAD_BYTES) head.push(part);
    size += part.length;
    checksum = crc32(part, checksum);
    if (size > MAX_UNPACKED_BYTES) throw new ContainerUnreadable('The file in it is too large.');
  }
  return { size, checksum, head: Buffer.concat(head) };
}

async function* unpack(bytes: Buffer): AsyncGenerator<Buffer> {
  const unpacked = createGunzip();
  unpacked.end(bytes);
  try {
    yield* unpacked as AsyncIterable<Buffer>;
  } catch (error) {
    throw new ContainerUnreadable('It is not a valid gzip file.', { cause: error });
  }
}

/** The name of the file before it was packed, without folders; undefined when it is not stated. */
function nameIn(bytes: Buffer): string | undefined {
  const flags = bytes[3] ?? 0;
  if ((flags & NAME) === 0) return undefined;
  const start = HEADER_BYTES + ((flags & EXTRA) === 0 ? 0 : 2 + bytes.readUInt16LE(HEADER_BYTES));
  const end = bytes.indexOf(0, start);
  if (end < start || end - start > MAX_NAME) return undefined;
  // The standard says Latin-1; programs write the encoding of their system.
  const written = bytes.subarray(start, end);
  const text = new TextDecoder().decode(written);
  return (text.includes('\uFFFD') ? written.toString('latin1') : text).split(/[/\\]/).at(-1) || undefined;
}
