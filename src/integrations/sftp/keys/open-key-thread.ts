import ssh2 from 'ssh2';
import { parentPort } from 'node:worker_threads';

/** A locked key in OpenSSH's format, and what may open it. */
export interface LockedKey {
  readonly text: string;
  readonly passphrase: string;
}

// The entry point of a thread that opens one key (see private-key.ts); answers it as PEM, or null when it cannot be opened.
parentPort?.once('message', ({ text, passphrase }: LockedKey) => {
  const key = ssh2.utils.parseKey(text, passphrase);
  parentPort?.postMessage(key instanceof Error ? null : key.getPrivatePEM());
});
