import ssh2 from 'ssh2';
import { parentPort } from 'node:worker_threads';

/** An encrypted key in OpenSSH's format with its passphrase. */
export interface LockedKey {
  readonly text: string;
  readonly passphrase: string;
}

// Entry point of a worker thread that decrypts one key (see private-key.ts); returns it as PEM, or null on failure.
parentPort?.once('message', ({ text, passphrase }: LockedKey) => {
  const key = ssh2.utils.parseKey(text, passphrase);
  parentPort?.postMessage(key instanceof Error ? null : key.getPrivatePEM());
});
