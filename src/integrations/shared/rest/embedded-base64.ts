import { UnexpectedResponse, DocumentUnavailable } from '../../core/source-errors';
import { ConnectionLost } from '../tree-sync/files/resumable-read';

/** What comes before the bytes is names and kinds, never more than this. */
const MAX_HEAD_BYTES = 64 * 1024;

export interface Embedded {
  /** The members of the same JSON that came before the bytes and are texts, by name. */
  readonly head: ReadonlyMap<string, string>;
  /** The decoded bytes. Has to be read to its end, or destroyed. */
  readonly bytes: AsyncGenerator<Buffer>;
}

/**
 * Bytes that an API gives as base64 (either alphabet) in a member of a JSON object, decoded as they arrive: memory does not grow
 * with the document. Objects around the member are looked into, lists are not.
 * @throws UnexpectedResponse when there is no such member, or what reading the answer throws
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
      throw new UnexpectedResponse(`There is no text "${member}" in the answer.`);
    }
  }
}

const TOKEN = /\s*(?:"((?:[^"\\]|\\.)*)"|([{}[\]:,])|[^\s"{}[\]:,]+(?=[\s"{}[\]:,]))/sy;

/** Where the text of the member begins, once so much has arrived. */
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
      // What an escape begins with may be all that has arrived of it.
      const cut = /\\(?:u[\da-f]{0,3})?$/i.exec(waiting)?.index ?? waiting.length;
      const quote = waiting.indexOf('"'); // there is no such letter in base64
      const isEnd = quote >= 0;
      const letters = rest + unescape(waiting.slice(0, isEnd ? quote : cut)).replaceAll(/\s+/g, '');
      waiting = waiting.slice(cut);
      const isBase64 = /^[\w+/-]*={0,2}$/.test(letters) && !(isEnd && letters.replaceAll('=', '').length % 4 === 1);
      if (!isBase64) throw new DocumentUnavailable('The content is no base64.', false);
      const usable = isEnd ? letters.length : letters.length - (letters.length % 4);
      rest = letters.slice(usable);
      if (usable > 0) yield Buffer.from(letters.slice(0, usable), 'base64');
      if (isEnd) return await drain(chunks);
      const next = await chunks.next();
      if (next.done) throw new ConnectionLost('The answer ends in the middle of the content.');
      waiting += next.value.toString('latin1');
    }
  } finally {
    await chunks.return?.();
  }
}

/** Reads what is behind the content, so that the connection can be used again. */
async function drain(chunks: AsyncIterator<Buffer, unknown>): Promise<void> {
  while (!(await chunks.next()).done);
}

/** The names of members and files are ours to show: their bytes are UTF-8, which was kept byte by byte until here. */
function unescape(string: string): string {
  try {
    return JSON.parse(`"${Buffer.from(string, 'latin1').toString('utf8')}"`) as string;
  } catch {
    return string;
  }
}
