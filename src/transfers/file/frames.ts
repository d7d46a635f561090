import { isNotAnExport, TransferError } from '../transfer';

/**
 * The parts of an export, in this order:
 * `H` header · `K` data keys · `C` the record of a content, then its chunks `B` · `T` the name of a table, then its rows `R` and their
 * number `E` · `Z` the end, with the numbers of keys and contents.
 */
export type FrameType = 'H' | 'K' | 'C' | 'B' | 'T' | 'R' | 'E' | 'Z';

export interface Frame {
  readonly type: FrameType;
  readonly payload: Buffer;
}

/** The type and the length of the payload. */
const HEAD_BYTES = 5;
/** An encrypted chunk of content is the largest payload that is written. */
const MAX_PAYLOAD_BYTES = 4 * 1024 * 1024;

/** The bytes of a frame. */
export function frame(type: FrameType, payload: Buffer): Buffer {
  const head = Buffer.alloc(HEAD_BYTES);
  head.write(type);
  head.writeUInt32BE(payload.length, 1);
  return Buffer.concat([head, payload]);
}

export const jsonFrame = (type: FrameType, value: unknown): Buffer => frame(type, Buffer.from(JSON.stringify(value)));

export const parseFrame = <T>({ payload }: Frame): T => JSON.parse(payload.toString()) as T;

/** Reads frames from bytes that arrive in any pieces. @throws TransferError when the end is not that of a frame */
export async function* readFrames(source: AsyncIterable<Uint8Array>): AsyncGenerator<Frame, void> {
  let pieces: Buffer[] = [];
  let available = 0;
  const take = (length: number): Buffer => {
    const all = pieces.length === 1 ? pieces[0]! : Buffer.concat(pieces);
    pieces = all.length > length ? [all.subarray(length)] : [];
    available -= length;
    return all.subarray(0, length);
  };
  let head: Buffer | null = null;
  for await (const piece of source) {
    pieces.push(Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength));
    available += piece.byteLength;
    for (;;) {
      if (!head && available >= HEAD_BYTES) head = take(HEAD_BYTES);
      if (!head) break;
      const length = head.readUInt32BE(1);
      if (length > MAX_PAYLOAD_BYTES) throw isNotAnExport();
      if (available < length) break;
      yield {
        type: head.toString('latin1', 0, 1) as FrameType,
        payload: length === 0 ? Buffer.alloc(0) : take(length),
      };
      head = null;
    }
  }
  if (head || available > 0) throw new TransferError('The file ends too early.');
}
