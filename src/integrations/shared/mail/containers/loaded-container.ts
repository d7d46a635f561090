import { isCms, isMail } from '../parts/document-kinds';
import { openMail, openSigned } from './signed-mail';
import { type ContainedFile, type ContainerContent, ContainerUnreadable } from './container';
import { ZipArchive } from './zip-archive';

/** What mail servers let through at most. A larger wrapper is not looked into, so that memory does not grow with it. */
export const MAX_CONTAINER_BYTES = 25 * 1024 * 1024;

/** Where a file in a wrapper is; `within` is where the wrapper is, when that is itself in one. */
export type ContainedFileRef = {
  readonly index: number;
  readonly crc32: number;
  readonly mimeType: string;
  readonly within?: ContainedFileRef;
};

/** An attached wrapper in memory: what is in it, and in the wrappers in it as far as somebody has looked into them. */
export class LoadedContainer {
  private readonly nested = new Map<string, Promise<ContainerContent>>();

  private constructor(private readonly content: ContainerContent) {}

  /** @throws ContainerUnreadable, and what the stream throws */
  static async load(stream: AsyncIterable<Buffer>, mimeType: string): Promise<LoadedContainer> {
    return new LoadedContainer(await parseContent(stream, mimeType));
  }

  /** What is in it, or in the wrapper at a place in it. @throws ContainerUnreadable */
  async contentAt(ref?: ContainedFileRef): Promise<ContainerContent> {
    if (!ref) return this.content;
    const key = JSON.stringify(ref);
    const content = this.nested.get(key) ?? this.fileAt(ref).then((file) => parseContent(file.read(), ref.mimeType));
    this.nested.set(key, content);
    return content;
  }

  /** @throws ContainerUnreadable where there is no such file */
  async fileAt({ index, crc32, mimeType, within }: ContainedFileRef): Promise<ContainedFile> {
    const { files, text } = await this.contentAt(within);
    const found = [...files, ...(text ? [text] : [])].find(
      (file) => file.index === index && file.crc32 === crc32 && file.kind.mimeType === mimeType,
    );
    if (!found) throw new ContainerUnreadable('The file is not in it.');
    return found;
  }
}

async function parseContent(stream: AsyncIterable<Buffer>, mimeType: string): Promise<ContainerContent> {
  const bytes = await readAll(stream);
  if (isCms(mimeType)) return openSigned(bytes);
  if (isMail(mimeType)) return openMail(bytes);
  return { files: (await ZipArchive.open(bytes)).documents };
}

async function readAll(stream: AsyncIterable<Buffer>): Promise<Buffer> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of stream) {
    size += part.length;
    if (size > MAX_CONTAINER_BYTES) throw new ContainerUnreadable('It is too large.');
    parts.push(part);
  }
  return Buffer.concat(parts);
}
