import type { IncomingHttpHeaders } from 'node:http';
import type { Dispatcher } from 'undici';

/** A listing of a thousand keys has about a tenth of this size. */
const MAX_TEXT_BYTES = 4 * 1024 * 1024;

/** A single object cannot be used, because it was written by other software or is archived; other objects are not affected. */
export class UnusableObject extends Error {
  constructor(why: string) {
    super(`The object cannot be used: ${why}.`);
    this.name = 'UnusableObject';
  }
}

/** A response whose body has to be consumed. */
export interface BucketResponse {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Dispatcher.ResponseData['body'];
}

/** Discards the body, so that the connection can be reused. */
export async function discardBody({ body }: BucketResponse): Promise<true> {
  await body.dump();
  return true;
}

/** Reads an object into `memory` and returns the filled part. @throws UnusableObject */
export async function readBodyInto(memory: Buffer, { body }: BucketResponse): Promise<Buffer> {
  let end = 0;
  for await (const part of body as AsyncIterable<Buffer>) {
    if (end + part.length > memory.length) throw new UnusableObject('it is larger than any stored chunk');
    memory.set(part, end);
    end += part.length;
  }
  return memory.subarray(0, end);
}

/** The text of a listing or an error. */
export async function readText(body: Dispatcher.ResponseData['body']): Promise<string> {
  const parts: Buffer[] = [];
  let length = 0;
  for await (const part of body as AsyncIterable<Buffer>) {
    parts.push(part);
    length += part.length;
    if (length > MAX_TEXT_BYTES) break;
  }
  return Buffer.concat(parts).toString('utf8');
}
