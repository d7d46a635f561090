import { Readable } from 'node:stream';
import { base64Parts } from './base64-parts';
import type { Transaction } from './transaction.entity';

/** The payload of spec 2 "Provisioned document", ready to be streamed with its exact length. */
export interface ProvisionedDocument {
  /** Bytes of the whole JSON text. */
  readonly length: number;
  /** The JSON text; `content` gives the document's plain bytes, each part good until the next is asked for. */
  stream(content: AsyncIterable<Buffer>): Readable;
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
  const all = (content: AsyncIterable<Buffer>) =>
    parts(Buffer.from(head), base64Parts(content, transaction.size >= LARGE_BYTES), Buffer.from(tail));
  return {
    length: Buffer.byteLength(head) + 4 * Math.ceil(transaction.size / 3) + Buffer.byteLength(tail),
    stream: (content) => Readable.from(copies(all(content)), { objectMode: false }),
    parts: all,
  };
}

async function* parts(head: Buffer, encoded: AsyncIterable<Buffer>, tail: Buffer): AsyncGenerator<Buffer> {
  yield head;
  yield* encoded;
  yield tail;
}

/** A stream asks for the next part while it still holds this one. */
async function* copies(of: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  for await (const part of of) yield Buffer.from(part);
}
