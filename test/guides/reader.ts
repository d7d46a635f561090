import { readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { DemoFailure } from '../demo/display';
import type { Mailbox } from '../demo/mailbox';
import type { Service } from '../demo/service';

const PRINT_MS = 30_000;

/**
 * The environment variables that a reader sets by hand, where a guide says "Not checked": the key and the secret that
 * `npm start` has printed, and the reader's mailbox.
 */
export async function readerVariables(service: Service, mailbox: Mailbox): Promise<NodeJS.ProcessEnv> {
  const printed = () => readFileSync(service.log, 'utf8');
  const deadline = performance.now() + PRINT_MS;
  while (!printed().includes('push-receiver.mjs')) {
    if (performance.now() > deadline) throw new DemoFailure('The start has not printed its key.', [service.log]);
    await pause(100);
  }
  const { host, port, security, user, password } = mailbox.credentials;
  return {
    API_KEY: /df_test_[\w-]+/.exec(printed())![0],
    SECRET: /whsec_[^']+/.exec(printed())![0],
    IMAP_HOST: String(host),
    IMAP_PORT: String(port),
    IMAP_SECURITY: String(security),
    IMAP_USER: String(user),
    IMAP_PASSWORD: String(password),
  };
}
