import { createSecretKey } from 'node:crypto';
import type { Socket } from 'node:net';
import type { Client, NegotiatedAlgorithms, SFTPWrapper } from 'ssh2';
import { createReusedBufferSocket, type DataConsumer, interceptData } from './reused-buffer-socket';
import { releaseBuffer } from './release-buffer';

/** Large enough for many packets, because a split packet has to be copied. */
const READ_BYTES = 256 * 1024;
/** Smaller packets share memory with others and are not released. */
const SMALL_BYTES = 16 * 1024;
/** The maximum overhead of a packet (RFC 4253 section 6: padding; RFC 4254 section 5.2). */
const AROUND_BYTES = 300;

/** Internal keys of ssh2 for AES-GCM, for which it creates a cipher per packet. */
interface Ciphers {
  readonly _protocol?: { readonly _cipher?: { _encKey?: unknown }; readonly _decipher?: { _decipherKey?: unknown } };
}

/** The input of an SFTP channel of ssh2: the data of the packets, then null. */
interface PacketSink {
  push(data: Buffer | null): void;
}

/** A socket for {@link patchBuffers}. */
export const reusedBufferSocket = (): Socket => createReusedBufferSocket(READ_BYTES);

/**
 * Reads the packets of a connection from reused memory, and prepares its keys once instead of for every packet: without the first a
 * fetch takes a quarter more processor time, without the second a fifth (`npm run bench -- fetch-sftp`, ADR 19). Only with AES-GCM,
 * which OpenSSH and ssh2 prefer, because ssh2 then keeps no reference to received data after decryption. `sock` is a
 * {@link reusedBufferSocket}.
 */
export function patchBuffers(client: Client, sock: Socket): void {
  let taken: ReturnType<typeof interceptData> | undefined;
  // Emitted again when keys are exchanged.
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
 * Releases every large packet after its responses are parsed: without this a fetch takes half as much processor time again
 * (`npm run bench -- fetch-sftp`). All data has been copied then, except file handles, which `SftpConnection` copies.
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
