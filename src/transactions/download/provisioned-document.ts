import { Readable } from 'node:stream';
import { Base64Encoder, base64Length, base64Parts } from './base64';
import type { Transaction } from '../record/transaction.entity';

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
  /** Writes the same text to the beginning of `memory`; answers its length. @throws RangeError when the content is longer than it should be */
  writeTo(memory: Buffer, content: AsyncIterable<Buffer>): Promise<number>;
}

/** Of a transaction, what is told with its document. */
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

/**
 * Builds the payload that is pushed, and that a pull answers below `data`: the same bytes for the same transaction every
 * time, whatever the size, with never more than a chunk in memory.
 */
export function provisionedDocument(
  transaction: ProvisionedTransaction,
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

/** Nothing before the content has begun to come: when it cannot be read, an answer can still become an error. */
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

/** A stream asks for the next part while it still holds this one. */
async function* copyParts(of: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  for await (const part of of) yield Buffer.from(part);
}
