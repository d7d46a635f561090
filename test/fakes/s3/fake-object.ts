import { createHash } from 'node:crypto';
import type { ServerResponse } from 'node:http';

export interface FakeObject {
  content: Buffer;
  modified: Date;
  /** Archived: listed, but not readable. */
  isArchived?: boolean;
}

export function refuse(
  answer: ServerResponse,
  status: number,
  code: string,
  headers: Record<string, string> = {},
): void {
  const body = `<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>${code}</Code><Message>Nein.</Message></Error>`;
  answer.writeHead(status, { 'content-type': 'application/xml', ...headers }).end(body);
}

/** Computed once for each content, as real servers do. */
const etags = new WeakMap<Buffer, string>();

export function etagOf({ content }: FakeObject): string {
  const etag = etags.get(content) ?? createHash('md5').update(content).digest('hex');
  etags.set(content, etag);
  return etag;
}
