import { Readable } from 'node:stream';
import { base64Parts } from './base64-parts';
import type { Transaction } from './transaction.entity';

/** The payload of spec 2 "Provisioned document", ready to be streamed with its exact length. */
export interface ProvisionedDocument {
  /** Bytes of the whole JSON text. */
  readonly length: number;
  /** The JSON text; `content` gives the document's plain bytes. */
  stream(content: Readable): Readable;
  /**
   * The same text, part by part, for who is done with one part before asking for the next: those of the content lie in
   * the same memory.
   */
  parts(content: AsyncIterable<Buffer>): AsyncGenerator<Buffer>;
}

/** From this size on a document is encoded without garbage, which for shorter ones costs less than doing without. */
const LARGE_BYTES = 1024 * 1024;

/**
 * Builds the payload that is pushed, and that a pull answers below `data`: the same bytes for the same transaction every
 * time, whatever the size, with never more than a chunk in memory.
 */
export function provisionedDocument(
  transaction: Transaction,
  clientIdentifier: string,
  envelope: 'bare' | 'data',
): ProvisionedDocument {
  const before = {
    client_identifier: clientIdentifier,
    identity_uuid: transaction.identityUuid,
    connection_uuid: transaction.connectionUuid,
    transaction_uuid: transaction.uuid,
    document_type: transaction.documentType,
    external_id: transaction.externalId ?? null,
  };
  const { filename, mimeType: mime_type, metadata } = transaction;
  const [open, close] = envelope === 'data' ? ['{"data":', '}'] : ['', ''];
  const head = `${open}${JSON.stringify(before).slice(0, -1)},"document":{"base64":"`;
  const tail = `",${JSON.stringify({ filename, mime_type }).slice(1)},"metadata":${JSON.stringify(metadata)}}${close}`;
  return {
    length: Buffer.byteLength(head) + 4 * Math.ceil(transaction.size / 3) + Buffer.byteLength(tail),
    stream: (content) => Readable.from(json(head, content, tail), { objectMode: false }),
    parts: (content) =>
      parts(Buffer.from(head), base64Parts(content, transaction.size >= LARGE_BYTES), Buffer.from(tail)),
  };
}

async function* json(head: string, content: Readable, tail: string): AsyncGenerator<string> {
  yield head;
  yield* base64(content);
  yield tail;
}

/** Base64 of a stream without line breaks: three bytes at a time, so that only the end is padded. */
async function* base64(content: Readable): AsyncGenerator<string> {
  let rest: Buffer = Buffer.alloc(0);
  for await (const data of content) {
    const bytes: Buffer = rest.length > 0 ? Buffer.concat([rest, data as Buffer]) : (data as Buffer);
    const whole = bytes.length - (bytes.length % 3);
    if (whole > 0) yield bytes.toString('base64', 0, whole);
    rest = bytes.subarray(whole);
  }
  if (rest.length > 0) yield rest.toString('base64');
}

async function* parts(head: Buffer, encoded: AsyncIterable<Buffer>, tail: Buffer): AsyncGenerator<Buffer> {
  yield head;
  yield* encoded;
  yield tail;
}
