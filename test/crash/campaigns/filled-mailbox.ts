import type { TestClient } from '../../harness/app/test-client';
import { connect } from '../../harness/engine/test-engine';
import { Dovecot, DOVECOT_USER } from '../../interop/imap/dovecot';
import { invoiceMail, pdfBytes } from '../../interop/imap/invoice-mails';
import { sha256 } from '../../interop/imap/mailbox-session';
import type { SeededRandom } from './seeded-random';

/** Every hundredth document is longer than a chunk of the store. */
const LONG_EVERY = 100;

/** A mailbox on a real server, with one document per mail. */
export interface FilledMailbox {
  readonly server: Dovecot;
  readonly documents: readonly Buffer[];
  /** The expected hashes of all documents of one connection, sorted. */
  readonly hashes: readonly string[];
  /** Delivers every mail into a folder in the same way as into INBOX. */
  deliverAll(folder: string): Promise<void>;
}

/** Fills a mailbox with mostly small documents, and some of several chunks. */
export async function fillMailbox(random: SeededRandom, count: number): Promise<FilledMailbox> {
  const server = await Dovecot.start();
  const documents = Array.from({ length: count }, (_, n) =>
    pdfBytes(`document ${n}`, n % LONG_EVERY === 1 ? random.between(300_000, 900_000) : random.between(500, 20_000)),
  );
  const mails = documents.map((content, n) =>
    invoiceMail([`${n}.pdf`, content])
      .messageId(`crash-${n}@example.com`)
      .build(),
  );
  const deliverAll = async (folder: string) => {
    for (const mail of mails) await server.deliver(folder, mail);
  };
  await deliverAll('INBOX');
  return { server, documents, hashes: documents.map((content) => sha256(content)).sort(), deliverAll };
}

/** The step-1 fields of a connection to it; with `port` through a proxy. */
export const loginTo = ({ server }: FilledMailbox, port = server.port) => ({
  host: server.host,
  port,
  security: 'NONE',
  ...DOVECOT_USER,
});

/** Creates a connection with its own identity, whose first fetch is queued; returns its uuid. */
export const connectTo = (
  client: TestClient,
  mailbox: FilledMailbox,
  port?: number,
  folders?: string[],
): Promise<string> => connect(client, 'imap', loginTo(mailbox, port), folders ? { folders } : {});
