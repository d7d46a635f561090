import { isCms, isMail } from '../parts/document-kinds';
import { openMail, openSigned } from './signed-mail';
import { type WrappedFile, type WrapperContent, WrapperUnreadable } from './wrapper';
import { ZipArchive } from './zip-archive';

/** What mail servers let through at most. A larger wrapper is not looked into, so that memory does not grow with it. */
export const MAX_BYTES = 25 * 1024 * 1024;

/** Where a file in a wrapper is; `within` is where the wrapper is, when that is itself in one. */
export type FilePlace = {
  readonly index: number;
  readonly crc32: number;
  readonly mimeType: string;
  readonly within?: FilePlace;
};

/** An attached wrapper in memory: what is in it, and in the wrappers in it as far as somebody has looked into them. */
export class OpenAttachment {
  private readonly inside = new Map<string, Promise<WrapperContent>>();

  private constructor(private readonly content: WrapperContent) {}

  /** @throws WrapperUnreadable, and what the stream throws */
  static async read(stream: AsyncIterable<Buffer>, mimeType: string): Promise<OpenAttachment> {
    return new OpenAttachment(await contentIn(stream, mimeType));
  }

  /** What is in it, or in the wrapper at a place in it. @throws WrapperUnreadable */
  async contentAt(place?: FilePlace): Promise<WrapperContent> {
    if (!place) return this.content;
    const key = JSON.stringify(place);
    const content = this.inside.get(key) ?? this.fileAt(place).then((file) => contentIn(file.read(), place.mimeType));
    this.inside.set(key, content);
    return content;
  }

  /** @throws WrapperUnreadable where there is no such file */
  async fileAt({ index, crc32, mimeType, within }: FilePlace): Promise<WrappedFile> {
    const { files, text } = await this.contentAt(within);
    const found = [...files, ...(text ? [text] : [])].find(
      (file) => file.index === index && file.crc32 === crc32 && file.kind.mimeType === mimeType,
    );
    if (!found) throw new WrapperUnreadable('The file is not in it.');
    return found;
  }
}

async function contentIn(stream: AsyncIterable<Buffer>, mimeType: string): Promise<WrapperContent> {
  const bytes = await wholeOf(stream);
  if (isCms(mimeType)) return openSigned(bytes);
  if (isMail(mimeType)) return openMail(bytes);
  return { files: (await ZipArchive.open(bytes)).documents };
}

async function wholeOf(stream: AsyncIterable<Buffer>): Promise<Buffer> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of stream) {
    size += part.length;
    if (size > MAX_BYTES) throw new WrapperUnreadable('It is too large.');
    parts.push(part);
  }
  return Buffer.concat(parts);
}
