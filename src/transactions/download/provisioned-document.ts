import { Readable } from 'node:stream';
import { Base64Encoder, base64Length, base64Parts } from '../../platform/buffers/base64';
import type { Transaction } from '../record/transaction.entity';

/** The payload of spec 2 "Provisioned document", ready to be streamed with its exact length. */
export interface ProvisionedDocument {
  /** Bytes of the whole JSON text. */
  readonly length: number;
  /** The JSON text; `content` yields the document's plaintext bytes, each part valid until the next is requested. */
  stream(content: AsyncIterable<Buffer>): Readable;
  /**
   * The same text in parts. Each part of the content is valid until the next is requested, because the memory is
   * reused.
   */
  parts(content: AsyncIterable<Buffer>): AsyncGenerator<Buffer>;
  /**
   * Writes the same text to the beginning of `memory`; returns its length. @throws RangeError when the content is
   * longer than expected
   */
  writeTo(memory: Buffer, content: AsyncIterable<Buffer>): Promise<number>;
}

/** The fields of a transaction that its document is delivered with. */
export type ProvisionedTransaction = Readonly<
  Pick<
    Transaction,
    | 'uuid'
    | 'identityUuid'
    | 'connectionUuid'
    | 'documentType'
    | 'externalId'
    | 'filename'
    | 'mimeType'
    | 'size'
    | 'metadata'
  >
>;

const fieldsBefore = (transaction: ProvisionedTransaction, clientIdentifier: string) => ({
  client_identifier: clientIdentifier,
  identity_uuid: transaction.identityUuid,
  connection_uuid: transaction.connectionUuid,
  transaction_uuid: transaction.uuid,
  document_type: transaction.documentType,
  external_id: transaction.externalId ?? null,
});

/** The payload with `***` in place of the content, to be shown. */
export const payloadWithoutContent = (transaction: ProvisionedTransaction, clientIdentifier: string) => ({
  ...fieldsBefore(transaction, clientIdentifier),
  document: { base64: '***', filename: transaction.filename, mime_type: transaction.mimeType },
  metadata: transaction.metadata,
});

/**
 * Builds the payload that is pushed, and that a pull returns in `data`. The bytes are always the same for the same
 * transaction, and at most one chunk is in memory, regardless of the size.
 */
export function provisionedDocument(
  transaction: ProvisionedTransaction,
  clientIdentifier: string,
  envelope: 'bare' | 'data',
): ProvisionedDocument {
  const before = fieldsBefore(transaction, clientIdentifier);
  const { filename, mimeType: mime_type, metadata } = transaction;
  const [open, close] = envelope === 'data' ? ['{"data":', '}'] : ['', ''];
  const head = `${open}${JSON.stringify(before).slice(0, -1)},"document":{"base64":"`;
  const tail = `",${JSON.stringify({ filename, mime_type }).slice(1)},"metadata":${JSON.stringify(metadata)}}${close}`;
  const all = (content: AsyncIterable<Buffer>) =>
    payloadParts(Buffer.from(head), base64Parts(content), Buffer.from(tail));
  return {
    length: Buffer.byteLength(head) + base64Length(transaction.size) + Buffer.byteLength(tail),
    stream: (content) => Readable.from(copyParts(all(content)), { objectMode: false }),
    parts: all,
    writeTo: async (memory, content) => {
      const base64 = new Base64Encoder();
      let end = memory.write(head);
      for await (const data of content) end = base64.write(data, memory, end);
      end = base64.finish(memory, end);
      return end + memory.write(tail, end);
    },
  };
}

/**
 * Yields nothing before the first part of the content, so that the response can still become an error when it cannot be
 * read.
 */
async function* payloadParts(head: Buffer, encoded: AsyncGenerator<Buffer>, tail: Buffer): AsyncGenerator<Buffer> {
  try {
    const first = await encoded.next();
    yield head;
    if (!first.done) yield first.value;
    yield* encoded;
    yield tail;
  } finally {
    await encoded.return(undefined);
  }
}

/** Copies each part, because a stream requests the next part while it still uses this one. */
async function* copyParts(of: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  for await (const part of of) yield Buffer.from(part);
}
