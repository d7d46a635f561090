import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { aMail } from '../../test/builders/mail-builder';
import { Dovecot, DOVECOT_USER } from '../../test/interop/imap/dovecot';
import { MODIFIED_AT } from '../../test/interop/storage/modified-at';
import { Tool } from '../harness/processes/tool';
import { contentOf, type BenchSource } from './source';

const NOTE = `Dovecot, plain on loopback, mails in Maildir. mbsync as it comes, pulling only. It writes each mail as it comes into a plain
file, which takes it 0.8 ms of processor time. To store a document alone takes the service and its database 1.4 ms to 1.6 ms (“documents
made in memory”): 0.15 ms for sha256 and encryption, 0.3 ms to give 150 KB to the kernel, some 0.8 ms in the database for 75 rows
of TOAST, their index and the write-ahead log, and statements. Reading and decoding come on top.`;

/** Dovecot, against mbsync. */
export async function openImap(): Promise<BenchSource> {
  const mbsync = Tool.find('mbsync', 'isync');
  const server = await Dovecot.start();
  const home = await mkdtemp(join(tmpdir(), 'docfetch-mbsync-'));
  const password = join(home, 'password');
  await writeFile(password, DOVECOT_USER.password, { mode: 0o600 });
  return {
    integration: 'imap',
    note: NOTE,
    port: server.port,
    comparedTools: [
      {
        name: 'mbsync',
        goal: { near: 1, far: 1 },
        knowsWhatItHas: true,
        async fetch(port, folder) {
          const file = join(home, 'mbsyncrc');
          await writeFile(file, configuration(port, password, folder));
          return mbsync.run(['-c', file, 'all']);
        },
      },
    ],
    fields: (port) => ({ host: '127.0.0.1', port, security: 'NONE', ...DOVECOT_USER }),
    async fill(documents, bytes) {
      for (let number = 0; number < documents; number++) {
        const filename = `invoice-${number}.pdf`;
        const content = contentOf(number, bytes);
        const mail = aMail().subject(`Invoice ${number}`).attach({ content, filename, mimeType: 'application/pdf' });
        await server.deliver('INBOX', mail.build(), MODIFIED_AT);
      }
    },
    async [Symbol.asyncDispose]() {
      await server.stop();
      await rm(home, { recursive: true, force: true });
    },
  };
}

/** Pulls everything; the state is stored next to the mails. */
function configuration(port: number, password: string, folder: string): string {
  return `
IMAPStore far
Host 127.0.0.1
Port ${port}
User ${DOVECOT_USER.user}
PassCmd "cat ${password}"
SSLType None
AuthMechs LOGIN

MaildirStore near
Path ${folder}/
Inbox ${folder}/inbox

Channel all
Far :far:
Near :near:
Patterns INBOX
Sync Pull
Create Near
SyncState *
`;
}
