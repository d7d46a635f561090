import { Readable } from 'node:stream';
import type { Inbox } from '../core/inbox';
import type { SourceDocument } from '../core/source-document';
import { DocumentUnavailable } from '../core/source-errors';
import { transferDecoder, type TransferDecoder } from '../shared/mail/parts/encoding/transfer-decoding';
import type { InboxPartRef } from './part-ref';
import { rangeOf } from './read-structure';

/** Opens a part of a received mail, decoded while it is read. @throws DocumentUnavailable */
export async function openPart(inbox: Inbox, part: InboxPartRef, filename: string): Promise<SourceDocument> {
  const decoder = transferDecoder(part.encoding);
  if (!decoder) {
    throw new DocumentUnavailable(`Unknown transfer encoding ${part.encoding.slice(0, 40)}.`, true, {
      problem: 'DAMAGED',
    });
  }
  const range = part.ref === '' ? undefined : rangeOf(part.ref);
  if (range === null) throw new DocumentUnavailable('The attachment is empty.', true, { problem: 'EMPTY' });
  const message = await inbox.read(part.mail, range);
  if (!message) throw new DocumentUnavailable(`Mail ${part.mail} is no longer kept.`, true);
  const stream = Readable.from(decode(message, decoder), { objectMode: false });
  stream.once('close', () => message.destroy());
  return { stream, filename, mimeType: part.mimeType };
}

async function* decode(message: AsyncIterable<Buffer>, decoder: TransferDecoder): AsyncGenerator<Buffer> {
  for await (const chunk of message) {
    const step = decoder.pieceBytes ?? chunk.length;
    for (let at = 0; at < chunk.length; at += step) {
      const bytes = decoder.push(chunk.subarray(at, at + step));
      if (bytes.length > 0) yield bytes;
    }
  }
  const rest = decoder.end();
  if (rest.length > 0) yield rest;
}
