import { Readable } from 'node:stream';
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

/** Three bytes are four letters; so many at a time become text that dies young. */
const PIECE_BYTES = 3 * 16 * 1024;

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
    parts: (content) => parts(Buffer.from(head), content, Buffer.from(tail)),
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

async function* parts(head: Buffer, content: AsyncIterable<Buffer>, tail: Buffer): AsyncGenerator<Buffer> {
  yield head;
  yield* base64Parts(content);
  yield tail;
}

/** As {@link base64}, into memory that is used again for every part. */
async function* base64Parts(content: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const rest = Buffer.alloc(3);
  let held = 0;
  let memory = Buffer.alloc(0);
  for await (const data of content) {
    const most = 4 * (Math.ceil(data.length / 3) + 1);
    if (memory.length < most) memory = Buffer.allocUnsafeSlow(most);
    const from = held > 0 ? data.copy(rest, held) : 0;
    held += from;
    let end = 0;
    if (held === 3) {
      end += memory.write(rest.toString('base64'), end, 'latin1');
      held = 0;
    }
    if (held > 0) continue;
    const whole = data.length - ((data.length - from) % 3);
    for (let at = from; at < whole; at += PIECE_BYTES) {
      end += memory.write(data.toString('base64', at, Math.min(whole, at + PIECE_BYTES)), end, 'latin1');
    }
    held = data.copy(rest, 0, whole);
    if (end > 0) yield memory.subarray(0, end);
  }
  if (held > 0) yield Buffer.from(rest.toString('base64', 0, held));
}
