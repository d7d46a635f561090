import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { splitBuffer } from '../../../test/harness/split-buffer';
import { provisionedDocument } from './provisioned-document';
import type { Transaction } from '../record/transaction.entity';

describe('The payload of a document', () => {
  const payloadOf = (size: number) =>
    provisionedDocument(
      { uuid: 't', filename: 'ä".pdf', mimeType: 'application/pdf', metadata: {}, size } as Transaction,
      'c',
      'bare',
    );

  it.each([
    [0, [1]],
    [1, [1]],
    [2, [1]],
    [3, [1, 1, 1]],
    [1_000, [1, 2, 3, 4, 5]],
    [200_000, [65_537]],
    [200_001, [99_999, 1, 1]],
    [200_002, [200_002]],
  ])('of %i bytes is the same in parts, in a stream and in memory, regardless of the chunks', async (size, lengths) => {
    const content = randomBytes(size);
    const payload = payloadOf(size);
    const parts: Buffer[] = [];
    for await (const part of payload.parts(splitBuffer(content, lengths))) parts.push(Buffer.from(part));
    const text = Buffer.concat(parts);
    const stream = payload.stream(Readable.from([content], { objectMode: false }));
    expect(text.equals(Buffer.concat((await stream.toArray()) as Buffer[]))).toBe(true);
    expect(text).toHaveLength(payload.length);
    const memory = Buffer.alloc(payload.length + 1, '#');
    expect(await payload.writeTo(memory, splitBuffer(content, lengths))).toBe(payload.length);
    expect(memory.equals(Buffer.concat([text, Buffer.from('#')]))).toBe(true);
    const { document } = JSON.parse(text.toString('utf8')) as { document: { base64: string } };
    expect(Buffer.from(document.base64, 'base64').equals(content)).toBe(true);
  });
});
