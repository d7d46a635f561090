import type { IncomingHttpHeaders } from 'node:http';
import type { Dispatcher } from 'undici';

/** A listing of a thousand keys is a tenth of it. */
const MOST_TEXT_BYTES = 4 * 1024 * 1024;

/** One object cannot be used, be it what somebody else has written or in an archive; the others can. */
export class UnusableObject extends Error {
  constructor(why: string) {
    super(`The object cannot be used: ${why}.`);
    this.name = 'UnusableObject';
  }
}

/** An answer whose body has to be read. */
export interface BucketResponse {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Dispatcher.ResponseData['body'];
}

/** The answer's body does not matter; read, it leaves the connection for the next request. */
export async function discardBody({ body }: BucketResponse): Promise<true> {
  await body.dump();
  return true;
}

/** An object's bytes, in the part of `memory` that they fill. @throws UnusableObject */
export async function readBodyInto(memory: Buffer, { body }: BucketResponse): Promise<Buffer> {
  let end = 0;
  for await (const part of body as AsyncIterable<Buffer>) {
    if (end + part.length > memory.length) throw new UnusableObject('it is larger than anything that is kept');
    memory.set(part, end);
    end += part.length;
  }
  return memory.subarray(0, end);
}

/** What a listing or a refusal says. */
export async function readText(body: Dispatcher.ResponseData['body']): Promise<string> {
  const parts: Buffer[] = [];
  let length = 0;
  for await (const part of body as AsyncIterable<Buffer>) {
    parts.push(part);
    length += part.length;
    if (length > MOST_TEXT_BYTES) break;
  }
  return Buffer.concat(parts).toString('utf8');
}
