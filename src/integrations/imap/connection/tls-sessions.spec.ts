import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { connect, getCACertificates, setDefaultCACertificates, type TlsOptions } from 'node:tls';
import { FakeImapServer } from '../../../../test/fakes/imap/fake-imap-server';
import { TlsProxy } from '../../../../test/fakes/tls-proxy';
import { CertificateAuthority, type KeyAndCertificate } from '../../../../test/harness/certificates';
import { mailboxSession } from '../../../../test/interop/imap/mailbox-session';
import { ServerTrust } from '../../core/server-trust';
import { imap } from '../imap';
import type { MailServer } from './mail-server';
import { TlsSessions } from './tls-sessions';

const USER = { user: 'anna', password: 'right' };
const HOUR_MS = 3_600_000;
/** Servers with the same keys would resume each other's sessions. */
const TICKET_KEYS = randomBytes(48);
const trusted = getCACertificates('default');

let authority: CertificateAuthority;
let certificate: KeyAndCertificate;
let mailbox: FakeImapServer;
const fronts: TlsProxy[] = [];

beforeAll(async () => {
  authority = await CertificateAuthority.create();
  certificate = await authority.issue('localhost');
});
beforeEach(async () => {
  mailbox = await FakeImapServer.start({ users: [USER] });
  setDefaultCACertificates([...trusted, authority.certificate]);
});
afterEach(async () => {
  setDefaultCACertificates(trusted);
  for (const front of fronts.splice(0)) await front.stop();
  await mailbox.stop();
});

async function start(shown = certificate, options: TlsOptions = {}): Promise<TlsProxy> {
  const front = await TlsProxy.start(shown, mailbox.port, 0, { ticketKeys: TICKET_KEYS, ...options });
  fronts.push(front);
  return front;
}

/** Logs in. `pin` is a fingerprint that the user has accepted. */
async function login({ port }: TlsProxy, host = 'localhost', pin?: string): Promise<void> {
  const session = mailboxSession({ fields: { host, port, security: 'TLS', ...USER } });
  const trust = pin === undefined ? ServerTrust.NONE : new ServerTrust({ host, port }, pin);
  const logouts = mailbox.commands.filter((command) => command === 'LOGOUT').length;
  try {
    await imap.check({ ...session, trust });
  } finally {
    await session.end();
  }
  await mailbox.waitForCommand('LOGOUT', logouts + 1);
}

describe('TLS sessions of mail servers', () => {
  it.each(['TLSv1.2', 'TLSv1.3'] as const)('are resumed with the same server (%s)', async (maxVersion) => {
    const front = await start(certificate, { maxVersion });
    for (let connection = 1; connection <= 3; connection++) await login(front);
    expect(front).toMatchObject({ connections: 3, resumed: 2 });
  });

  it('are not used for another port', async () => {
    await login(await start());
    const other = await start();
    await login(other);
    expect(other).toMatchObject({ connections: 1, resumed: 0 });
  });

  it('are not used for another name of the server, which its certificate does not contain', async () => {
    const front = await start();
    await login(front);
    await expect(login(front, '127.0.0.1')).rejects.toMatchObject({ code: 'CERTIFICATE_INVALID' });
    expect(front.resumed).toBe(0);
  });

  it('are not used when the authority is no longer trusted', async () => {
    const front = await start();
    await login(front);
    setDefaultCACertificates(trusted);
    await expect(login(front)).rejects.toMatchObject({ code: 'CERTIFICATE_INVALID' });
    expect(front.resumed).toBe(0);
  });

  it('are not used with an accepted fingerprint, which is compared on every connection', async () => {
    const front = await start();
    await login(front);
    const wrong = front.fingerprint.replace(/^../, (byte) => (byte === 'AA' ? 'BB' : 'AA'));
    await expect(login(front, 'localhost', wrong)).resolves.toBeUndefined(); // signed by a trusted authority
    setDefaultCACertificates(trusted);
    await expect(login(front, 'localhost', wrong)).rejects.toMatchObject({
      exactReason: 'CERTIFICATE_INVALID_CHANGED',
    });
    await login(front, 'localhost', front.fingerprint);
    await login(front, 'localhost', front.fingerprint);
    expect(front.resumed).toBe(0);
  });

  it('do not let others use a certificate that one user has accepted', async () => {
    const front = await start(await CertificateAuthority.selfSigned('localhost'));
    await login(front, 'localhost', front.fingerprint);
    await expect(login(front)).rejects.toMatchObject({ code: 'CERTIFICATE_INVALID' });
    expect(front.resumed).toBe(0);
  });

  it('are forgotten after a connection that failed', async () => {
    const front = await start();
    await login(front);
    const fault = mailbox.fail({ on: 'LOGIN', how: 'close', times: 1 });
    await expect(login(front)).rejects.toThrow();
    await fault.struck();
    await login(front);
    expect(front).toMatchObject({ connections: 3, resumed: 1 });
  });

  it('end an hour after the certificate was verified, however often they were resumed', async () => {
    const front = await start();
    let now = 0;
    const sessions = new TlsSessions(() => now);
    const server: MailServer = { host: 'localhost', port: front.port, security: 'TLS' };
    const visit = async (): Promise<boolean> => {
      const socket = connect({
        host: '127.0.0.1',
        port: front.port,
        servername: 'localhost',
        ...sessions.options(server),
      });
      await once(socket, 'secureConnect');
      sessions.watch(server, socket);
      await once(socket, 'data'); // the greeting, after which the session is known
      const reused = socket.isSessionReused();
      socket.destroy();
      return reused;
    };
    expect(await visit()).toBe(false);
    now = HOUR_MS - 1;
    expect(await visit()).toBe(true);
    now = HOUR_MS;
    expect(await visit()).toBe(false);
    now = 2 * HOUR_MS - 1;
    expect(await visit()).toBe(true);
  });
});
