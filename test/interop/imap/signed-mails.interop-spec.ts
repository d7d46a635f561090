import { spawnSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { imap } from '../../../src/integrations/imap/imap';
import { aMail } from '../../builders/mail-builder';
import { Dovecot, DOVECOT_USER } from './dovecot';
import { invoiceMail, pdfBytes } from './invoice-mails';
import { listAll, mailboxSession, type MailboxSession, read } from './mailbox-session';

const CERTIFICATE = ['-signer', 'cert.pem', '-inkey', 'key.pem'];

let home: string;
let dovecot: Dovecot;
let session: MailboxSession;

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'smime-'));
  const subject = ['-subj', '/CN=Supplier Ltd/emailAddress=billing@supplier.example'];
  const files = ['-keyout', 'key.pem', '-out', 'cert.pem'];
  await openssl(Buffer.alloc(0), 'req', '-x509', '-newkey', 'rsa:2048', '-nodes', ...files, ...subject);
});
afterAll(() => rm(home, { recursive: true, force: true }));

beforeEach(async () => {
  dovecot = await Dovecot.start();
  const login = { host: dovecot.host, port: dovecot.port, security: 'NONE', ...DOVECOT_USER };
  session = mailboxSession({ fields: login });
});
afterEach(async () => {
  await session.end();
  await dovecot.stop();
});

async function openssl(input: Buffer, ...args: string[]): Promise<Buffer> {
  await writeFile(join(home, 'input'), input);
  const { status, stdout, stderr } = spawnSync('openssl', args, { cwd: home, maxBuffer: 100_000_000 });
  if (status !== 0) throw new Error(`openssl ${args[0]}: ${stderr.toString()}`);
  return stdout;
}

/** A whole mail, as the sender's mail program signs or encrypts it. */
async function made(mail: Buffer, ...how: string[]): Promise<Buffer> {
  const smime = await openssl(mail, 'cms', '-in', 'input', '-outform', 'SMIME', ...how);
  return Buffer.concat([Buffer.from('From: billing@supplier.example\r\nSubject: Rechnung\r\n'), smime]);
}

describe('A mail signed by OpenSSL, in Dovecot', () => {
  it.each([
    ['holding the mail', ['-nodetach']],
    ['holding the mail, signed while it was sent', ['-nodetach', '-stream']],
    ['beside the mail', []],
  ])('yields its attachments, with a signature %s', async (_, how) => {
    const content = pdfBytes('signed', 400_000);
    const mail = invoiceMail(['Rechnung März.pdf', content], ['b.pdf', pdfBytes('b')]).build();
    await dovecot.deliver('INBOX', await made(mail, '-sign', '-binary', ...how, ...CERTIFICATE));
    const { documents } = await listAll(imap, session);
    expect(documents.map(({ filename }) => filename)).toEqual(['Rechnung März.pdf', 'b.pdf']);
    const contents = await Promise.all(documents.map((ref) => read(imap, session, ref)));
    expect(contents).toEqual([content, pdfBytes('b')]);
  });

  it('is passed through when it is encrypted', async () => {
    const mail = await made(invoiceMail('a.pdf').build(), '-encrypt', '-aes256', 'cert.pem');
    await dovecot.deliver('INBOX', mail);
    const { documents } = await listAll(imap, session);
    expect(documents.map(({ filename }) => filename)).toEqual(['smime.p7m']);
    const encoded = mail.toString('latin1').split(/\r?\n\r?\n/)[1]!;
    expect(await read(imap, session, documents[0]!)).toEqual(Buffer.from(encoded, 'base64'));
  });

  it('yields the signed files that are attached to it', async () => {
    const content = pdfBytes('signed file');
    const file = await openssl(
      content,
      'cms',
      '-sign',
      '-nodetach',
      '-binary',
      '-in',
      'input',
      '-outform',
      'DER',
      ...CERTIFICATE,
    );
    const attached = { content: file, filename: 'Rechnung.pdf.p7m', mimeType: 'application/octet-stream' };
    await dovecot.deliver('INBOX', aMail().attach(attached).build());
    const { documents } = await listAll(imap, session);
    expect(documents.map(({ filename }) => filename)).toEqual(['Rechnung.pdf']);
    expect(await read(imap, session, documents[0]!)).toEqual(content);
  });
});
