import { UnexpectedResponse, DocumentUnavailable } from '../../core/source-errors';
import { ConnectionLost } from '../tree-sync/files/resumable-read';

/** The maximum size of the JSON before the content. */
const MAX_HEAD_BYTES = 64 * 1024;

export interface Embedded {
  /** The string members that precede the content in the JSON, by name. */
  readonly head: ReadonlyMap<string, string>;
  /** The decoded content. Has to be read to its end or returned. */
  readonly bytes: AsyncGenerator<Buffer>;
}

/**
 * Decodes base64 (either alphabet) in a member of a JSON response as it arrives, so that memory does not grow with the document.
 * Searches nested objects, not lists.
 * @throws UnexpectedResponse when there is no such member, and what reading the response throws
 */
export async function embeddedBase64(answer: AsyncIterable<Buffer>, member: string): Promise<Embedded> {
  const chunks: AsyncIterator<Buffer, unknown> = answer[Symbol.asyncIterator]();
  let json = '';
  for (;;) {
    const next = await chunks.next();
    if (!next.done) json += next.value.toString('latin1');
    const found = findMember(json, member);
    if (found) return { head: found.head, bytes: decodeContent(json.slice(found.start), chunks) };
    if (next.done || json.length > MAX_HEAD_BYTES) {
      await chunks.return?.();
      throw new UnexpectedResponse(`The response has no string "${member}".`);
    }
  }
}

const TOKEN = /\s*(?:"((?:[^"\\]|\\.)*)"|([{}[\]:,])|[^\s"{}[\]:,]+(?=[\s"{}[\]:,]))/sy;

/** The position at which the value of the member starts; null until it has arrived. */
function findMember(json: string, member: string): { head: Map<string, string>; start: number } | null {
  const head = new Map<string, string>();
  let key: string | null = null;
  let last: string | null = null;
  TOKEN.lastIndex = 0;
  for (;;) {
    const from = TOKEN.lastIndex;
    if (key === member) {
      const opening = /^\s*"/.exec(json.slice(from));
      if (opening) return { head, start: from + opening[0].length };
    }
    const token = TOKEN.exec(json);
    if (!token) return null;
    const [, string, mark] = token;
    if (mark === ':') key = last;
    else if (string === undefined) key = null;
    else if (key !== null) {
      head.set(key, unescape(string));
      key = null;
    }
    last = string === undefined ? null : unescape(string);
  }
}

async function* decodeContent(beginning: string, chunks: AsyncIterator<Buffer, unknown>): AsyncGenerator<Buffer> {
  let waiting = beginning;
  let rest = '';
  try {
    for (;;) {
      // An escape sequence may be incomplete at the end of the received text.
      const cut = /\\(?:u[\da-f]{0,3})?$/i.exec(waiting)?.index ?? waiting.length;
      const quote = waiting.indexOf('"'); // not in the base64 alphabet
      const isEnd = quote >= 0;
      const letters = rest + unescape(waiting.slice(0, isEnd ? quote : cut)).replaceAll(/\s+/g, '');
      waiting = waiting.slice(cut);
      const isBase64 = /^[\w+/-]*={0,2}$/.test(letters) && !(isEnd && letters.replaceAll('=', '').length % 4 === 1);
      if (!isBase64) throw new DocumentUnavailable('The content is not valid base64.', false);
      const usable = isEnd ? letters.length : letters.length - (letters.length % 4);
      rest = letters.slice(usable);
      if (usable > 0) yield Buffer.from(letters.slice(0, usable), 'base64');
      if (isEnd) return await drain(chunks);
      const next = await chunks.next();
      if (next.done) throw new ConnectionLost('The response ends within the content.');
      waiting += next.value.toString('latin1');
    }
  } finally {
    await chunks.return?.();
  }
}

/** Reads the rest of the response, so that the connection can be reused. */
async function drain(chunks: AsyncIterator<Buffer, unknown>): Promise<void> {
  while (!(await chunks.next()).done);
}

/** Decodes a JSON string, whose UTF-8 bytes were read as Latin-1. */
function unescape(string: string): string {
  try {
    return JSON.parse(`"${Buffer.from(string, 'latin1').toString('utf8')}"`) as string;
  } catch {
    return string;
  }
}
