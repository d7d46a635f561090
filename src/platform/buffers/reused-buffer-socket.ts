import { Socket } from 'node:net';
import type { Duplex } from 'node:stream';

/** Node's own read size. */
const READ_BYTES = 64 * 1024;

/** Receives bytes that are valid only until it returns. */
export type DataConsumer = (bytes: Buffer) => void;

/** The consumer that reads each socket's data directly from the read buffer. */
const consumers = new WeakMap<Duplex, DataConsumer>();

/**
 * A socket that reuses one read buffer of `bytes` bytes. Node allocates up to 64 KiB for every read; for downloads this is
 * external garbage that causes frequent collections of the whole heap.
 * For everything except {@link interceptData} it behaves like an ordinary socket: the received bytes are copied.
 */
export function createReusedBufferSocket(bytes = READ_BYTES): Socket {
  const socket: Socket = new Socket({
    onread: {
      buffer: Buffer.allocUnsafeSlow(bytes),
      callback: (length, memory) => onRead(socket, Buffer.from(memory.buffer, memory.byteOffset, length)),
    },
  });
  return socket;
}

function onRead(socket: Socket, bytes: Buffer): boolean {
  const consume = consumers.get(socket);
  // A paused socket still has earlier data in its queue: the order is kept by queueing these bytes, too.
  if (!consume || socket.readableLength > 0) return socket.push(Buffer.from(bytes));
  consume(bytes);
  return true;
}

/**
 * Sends a stream's data to `consume` instead of its `data` listeners until `restore` is called; data of a reused-buffer socket
 * is not copied. `forward` passes a copy of some bytes to the original listeners.
 */
export function interceptData(
  stream: Duplex,
  consume: DataConsumer,
): { readonly forward: DataConsumer; readonly restore: () => void } {
  const listeners = stream.listeners('data') as DataConsumer[];
  stream.removeAllListeners('data').on('data', consume);
  consumers.set(stream, consume);
  return {
    forward: (bytes) => listeners.forEach((listen) => listen(Buffer.from(bytes))),
    restore: () => {
      consumers.delete(stream);
      stream.off('data', consume);
      for (const listen of listeners) stream.on('data', listen);
    },
  };
}
