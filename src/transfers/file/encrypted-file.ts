import { createReadStream } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream } from 'node:stream/web';
import { TransferError } from '../transfer';
import { loadAge } from './load-age';
import type { TransferIdentity } from './transfer-keys';

/**
 * Writes an age file (X25519, ChaCha20-Poly1305 in chunks of 64 KiB) that only the recipient can read. The file gets its name when it is
 * complete and durable; an interrupted one ends in `.partial`. Memory use does not depend on its size.
 */
export async function writeEncrypted(path: string, recipient: string, plain: AsyncIterable<Buffer>): Promise<void> {
  const { Encrypter } = await loadAge();
  const encrypter = new Encrypter();
  encrypter.addRecipient(recipient);
  const partial = `${path}.partial`;
  const file = await open(partial, 'w', 0o600);
  try {
    const source = Readable.toWeb(Readable.from(plain, { objectMode: false }));
    const encrypted = await encrypter.encrypt(source as globalThis.ReadableStream<Uint8Array>);
    await pipeline(Readable.fromWeb(encrypted as ReadableStream), file.createWriteStream({ flush: true }));
  } catch (error) {
    await rm(partial, { force: true });
    throw error;
  } finally {
    await file.close().catch(() => undefined); // the stream has closed it
  }
  await rename(partial, path);
}

/** Reads such a file. @throws TransferError when it is for another key, or a bit has changed */
export async function* readEncrypted(
  path: string,
  identities: readonly TransferIdentity[],
): AsyncGenerator<Uint8Array, void> {
  const { Decrypter } = await loadAge();
  const decrypter = new Decrypter();
  for (const identity of identities) decrypter.addIdentity(identity);
  const file = createReadStream(path);
  try {
    const decrypted = await decrypter
      .decrypt(Readable.toWeb(file) as globalThis.ReadableStream<Uint8Array>)
      .catch(asHeaderError);
    const reader = decrypted.getReader();
    for (;;) {
      const { done, value } = await reader.read().catch(asContentError);
      if (done) return;
      yield value;
    }
  } finally {
    file.destroy();
  }
}

function asHeaderError(error: unknown): never {
  if (isFileError(error)) throw error;
  if (/no identity matched/.test(String(error))) {
    throw new TransferError(
      'The export is encrypted to the key of another installation: export it to the one that "environment transfer-key" prints here.',
    );
  }
  throw new TransferError('The file is not an export, or it was altered.');
}

function asContentError(error: unknown): never {
  if (isFileError(error)) throw error;
  throw new TransferError('The file is incomplete or was altered.');
}

/** The file system reports them, with the path. */
const isFileError = (error: unknown): boolean => typeof (error as { syscall?: unknown } | null)?.syscall === 'string';
