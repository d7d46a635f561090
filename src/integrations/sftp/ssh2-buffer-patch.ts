import { createSecretKey } from 'node:crypto';
import type { Socket } from 'node:net';
import type { Client, NegotiatedAlgorithms, SFTPWrapper } from 'ssh2';
import {
  createReusedBufferSocket,
  type DataConsumer,
  interceptData,
} from '../../platform/buffers/reused-buffer-socket';
import { releaseBuffer } from '../../platform/buffers/release-buffer';

/** Many packets at a time: one that comes in two parts is put together from copies. */
const READ_BYTES = 256 * 1024;
/** Smaller packets are not worth it, and lie in memory that others have a part of. */
const SMALL_BYTES = 16 * 1024;
/** The most that stands around the data of a packet (RFC 4253 section 6: padding; RFC 4254 section 5.2). */
const AROUND_BYTES = 300;

/** A key as ssh2 keeps it for AES-GCM, where it makes a cipher for every packet; inside of it, not among its types. */
interface Ciphers {
  readonly _protocol?: { readonly _cipher?: { _encKey?: unknown }; readonly _decipher?: { _decipherKey?: unknown } };
}

/** What an SFTP channel of ssh2 gets from the packets, one after the other; null at the end. */
interface PacketSink {
  push(data: Buffer | null): void;
}

/** For `patchBuffers`. */
export const reusedBufferSocket = (): Socket => createReusedBufferSocket(READ_BYTES);

/**
 * Spares a connection half of what ssh2 takes to receive: memory for every read, and keys that Node prepares anew for every packet.
 * Only with AES-GCM, which OpenSSH and ssh2 prefer: there ssh2 keeps nothing of what it has been given once it has decrypted it.
 * `sock` is a `reusedBufferSocket`.
 */
export function patchBuffers(client: Client, sock: Socket): void {
  let taken: ReturnType<typeof interceptData> | undefined;
  // Told anew when keys are changed.
  client.on('handshake', (negotiated) => {
    taken?.restore();
    taken = undefined;
    if (!usesAesGcm(negotiated)) return;
    const { _cipher: cipher, _decipher: decipher } = (client as Ciphers)._protocol ?? {};
    if (cipher?._encKey instanceof Uint8Array) cipher._encKey = createSecretKey(cipher._encKey);
    if (decipher?._decipherKey instanceof Uint8Array) decipher._decipherKey = createSecretKey(decipher._decipherKey);
    const [listen, ...others] = sock.listeners('data') as DataConsumer[];
    if (listen && others.length === 0) taken = interceptData(sock, listen);
  });
}

/**
 * Frees every large packet as soon as its answers are read, which have been copied then, all but the handles of files (`Line` copies
 * these).
 */
export function freePackets(sftp: SFTPWrapper): void {
  const channel = sftp as unknown as PacketSink;
  const push = channel.push.bind(channel);
  channel.push = (data) => {
    push(data);
    if (!data || data.length < SMALL_BYTES || data.buffer.byteLength - data.length > AROUND_BYTES) return;
    releaseBuffer(Buffer.from(data.buffer));
  };
}

function usesAesGcm({ sc }: NegotiatedAlgorithms): boolean {
  return sc.cipher.endsWith('-gcm@openssh.com');
}
