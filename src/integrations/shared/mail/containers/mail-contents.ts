import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { runInThread } from '../../../../platform/threads/run-in-thread';
import { HTML, type Kind } from '../parts/kinds/kinds';
import type { MailContents } from './collect-attachments';
import { type ContainedFile, type ContainerContent, ContainerUnreadable } from './container';
import { type MailToParse, parseMail } from './parse-mail';

/** Larger mails are parsed in a worker thread, to not block the event loop. */
const MAX_INLINE = 256 * 1024;
const LIMIT_MS = 30_000;

/** The documents in a mail of any format, and its text if it has none. @throws ContainerUnreadable */
export async function mailContents(mail: MailToParse): Promise<ContainerContent> {
  try {
    // A broken compound file may take any time, however small it is.
    const isLong = mail.bytes.length > MAX_INLINE || mail.format === 'msg';
    return contentOf(await (isLong ? parseInWorker(mail) : parseMail(mail)));
  } catch (error) {
    throw new ContainerUnreadable('The mail in it is not readable.', { cause: error });
  }
}

/** Starts a worker thread for each mail, because large ones are rare. */
function parseInWorker(mail: MailToParse): Promise<MailContents> {
  return runInThread(join(__dirname, 'parse-mail-thread'), mail, {
    name: 'mail',
    resourceLimits: { maxOldGenerationSizeMb: 384 },
    limitMs: LIMIT_MS,
    timedOut: () => new Error('It takes too much time to read.'),
  });
}

function contentOf({ files, text, filteredBy }: MailContents): ContainerContent {
  return {
    files: files.map(({ index, name, kind, content }) => containedFile(index, kind, asBuffer(content), name)),
    filteredBy,
    ...(text && { text: containedFile(0, HTML, asBuffer(text), null) }),
  };
}

function asBuffer({ buffer, byteOffset, byteLength }: Uint8Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength);
}

/** A file whose content is in memory. */
export function containedFile(index: number, kind: Kind, content: Buffer, name: string | null): ContainedFile {
  return {
    index,
    ...(name && { name }),
    kind,
    size: content.length,
    crc32: crc32(content),
    read: async function* () {
      yield content;
    },
  };
}
