import { Socket } from 'node:net';
import type { Duplex } from 'node:stream';

/** As much as Node takes from any socket at a time. */
const READ_BYTES = 64 * 1024;

/** Gets bytes that are good until it returns. */
export type DataConsumer = (bytes: Buffer) => void;

/** Who takes what arrives at a socket out of the memory that it was read into. */
const takers = new WeakMap<Duplex, DataConsumer>();

/**
 * A socket that reads into the same memory again and again, up to so many bytes at a time. Node makes new memory for every
 * read, up to 64 KiB: where documents come from, that is garbage outside of the heap, for which V8 goes through all of the heap
 * again and again.
 * To everybody but a taker ({@link interceptData}) it is a socket like any other: what has arrived is copied, and just that.
 */
export function createReusedBufferSocket(bytes = READ_BYTES): Socket {
  const socket: Socket = new Socket({
    onread: {
      buffer: Buffer.allocUnsafeSlow(bytes),
      callback: (length, memory) => arrived(socket, Buffer.from(memory.buffer, memory.byteOffset, length)),
    },
  });
  return socket;
}

function arrived(socket: Socket, bytes: Buffer): boolean {
  const take = takers.get(socket);
  // What came before is still on its way to it when somebody has paused the socket: then this gets in line.
  if (!take || socket.readableLength > 0) return socket.push(Buffer.from(bytes));
  take(bytes);
  return true;
}

/**
 * Until `giveBack` is called, `take` gets what arrives at a stream in place of those who listen to it: of a steady socket
 * without a copy. `before` hands bytes on to them; what they get is theirs.
 */
export function interceptData(
  stream: Duplex,
  take: DataConsumer,
): { readonly before: DataConsumer; readonly giveBack: () => void } {
  const listeners = stream.listeners('data') as DataConsumer[];
  stream.removeAllListeners('data').on('data', take);
  takers.set(stream, take);
  return {
    before: (bytes) => listeners.forEach((listen) => listen(Buffer.from(bytes))),
    giveBack: () => {
      takers.delete(stream);
      stream.off('data', take);
      for (const listen of listeners) stream.on('data', listen);
    },
  };
}
