import { isCms, isGzip, isMail, isMsg, isTar, isTnef } from '../parts/kinds/document-kinds';
import { openGzip } from './archives/gzip-file';
import { openTar } from './archives/tar-archive';
import {
  type ContainedFile,
  type ContainerContent,
  type ContainerOptions,
  ContainerUnreadable,
  MAX_CONTAINER_BYTES,
} from './container';
import { openMail, openSigned } from './signed-mail';
import { ZipArchive } from './archives/zip-archive';

/** Identifies a file in a container; `within` identifies the container when it is nested itself. */
export type ContainedFileRef = {
  readonly index: number;
  readonly crc32: number;
  readonly mimeType: string;
  readonly within?: ContainedFileRef;
};

/** An attached container in memory, with the contents of the nested containers that have been read so far. */
export class LoadedContainer {
  private readonly nested = new Map<string, Promise<ContainerContent>>();

  private constructor(
    private readonly content: ContainerContent,
    private readonly options: ContainerOptions,
  ) {}

  /** @throws ContainerUnreadable, and what the stream throws */
  static async load(
    stream: AsyncIterable<Buffer>,
    mimeType: string,
    options: ContainerOptions = { choice: 'documents', passwords: [] },
  ): Promise<LoadedContainer> {
    return new LoadedContainer(await parseContent(stream, mimeType, options), options);
  }

  /** Its contents, or those of a nested container. @throws ContainerUnreadable */
  async contentAt(ref?: ContainedFileRef): Promise<ContainerContent> {
    if (!ref) return this.content;
    const key = JSON.stringify(ref);
    const content =
      this.nested.get(key) ?? this.fileAt(ref).then((file) => parseContent(file.read(), ref.mimeType, this.options));
    this.nested.set(key, content);
    return content;
  }

  /** @throws ContainerUnreadable when there is no such file */
  async fileAt({ index, crc32, mimeType, within }: ContainedFileRef): Promise<ContainedFile> {
    const { files, text } = await this.contentAt(within);
    const found = [...files, ...(text ? [text] : [])].find(
      (file) => file.index === index && file.crc32 === crc32 && file.kind.mimeType === mimeType,
    );
    if (!found) throw new ContainerUnreadable('It does not contain the file.');
    return found;
  }
}

async function parseContent(
  stream: AsyncIterable<Buffer>,
  mimeType: string,
  { choice, passwords }: ContainerOptions,
): Promise<ContainerContent> {
  const bytes = await readAll(stream);
  if (isCms(mimeType)) return openSigned(bytes, choice);
  if (isMail(mimeType)) return openMail('mail', bytes, choice);
  if (isMsg(mimeType)) return openMail('msg', bytes, choice);
  if (isTnef(mimeType)) return openMail('tnef', bytes, choice);
  if (isGzip(mimeType)) return openGzip(bytes, choice);
  if (isTar(mimeType)) return openTar(bytes, choice);
  return (await ZipArchive.open(bytes, passwords)).contents(choice);
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
