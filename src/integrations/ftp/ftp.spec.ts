import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { makeCertificate } from '../../../test/fakes/imap/certificate';
import { rejectionOf } from '../../../test/harness/rejection-of';
import { useFtp } from '../../../test/harness/connectors/use-ftp';
import { GuardedNetwork } from '../../platform/network/guarded-network';
import { AddressNotAllowed } from '../../platform/network/network';
import { InvalidCredentials, Transient } from '../core/source-errors';
import { ftp } from './ftp';

const source = useFtp();

describe('Logging in to an FTP server', () => {
  it('distinguishes a rejected password from a full server and one that requires TLS', async () => {
    await source.start();
    const logins = () => source.server.commands.filter((command) => command === 'PASS').length;
    expect(await rejectionOf(ftp.check(source.session({ password: 'wrong' })))).toBeInstanceOf(InvalidCredentials);
    expect(logins()).toBe(1);
    for (const reply of [
      '530 Sorry, the maximum number of clients (5) are already connected.',
      '421 Too many connections (5) from this IP',
      '530 Non-anonymous sessions must use encryption.',
      '451 Internal error',
      '332 Need account for login.',
    ]) {
      source.server.refuse = (command) => (command.startsWith('USER') ? reply : undefined);
      const error = await rejectionOf(ftp.check(source.session()));
      expect([reply, error]).toEqual([reply, expect.any(Transient)]);
      expect(String(error)).not.toContain(reply.slice(4));
    }
    source.server.refuse = (command) => (command.startsWith('USER') ? '530 Permission denied.' : undefined);
    expect(await rejectionOf(ftp.check(source.session()))).toBeInstanceOf(InvalidCredentials);
  });

  it.each(['EXPLICIT', 'IMPLICIT'])('uses TLS (%s), also for data, with trusted servers only', async (security) => {
    const { ca, ...certified } = makeCertificate();
    await source.start({ tls: { ...certified, isImplicit: security === 'IMPLICIT' } });
    source.server.put('a.pdf', '%PDF-1.7 a');
    expect(await rejectionOf(ftp.check(source.session({ security })))).toBeInstanceOf(Transient);
    expect(source.server.commands).not.toContain('PASS');
    const trusted = getCACertificates('default');
    setDefaultCACertificates([...trusted, ca]);
    try {
      const opened = source.session({ security });
      const [ref] = await source.listed(opened);
      expect((await source.read(opened, ref!)).toString()).toBe('%PDF-1.7 a');
      expect(source.server.commands).toContain('PROT P');
    } finally {
      setDefaultCACertificates(trusted);
    }
  });

  it('sends no password without the required TLS', async () => {
    await source.start();
    expect(await rejectionOf(ftp.check(source.session({ security: 'EXPLICIT' })))).toBeInstanceOf(Transient);
    expect(source.server.commands.filter((command) => command !== 'QUIT')).toEqual(['AUTH TLS']);
  });

  it('does not connect to addresses that the network guard rejects', async () => {
    await source.start();
    const closed = new GuardedNetwork({ allow: [] });
    expect(await rejectionOf(ftp.check(source.session({ host: '127.0.0.1' }, closed)))).toBeInstanceOf(
      AddressNotAllowed,
    );
    expect(source.server.commands).toEqual([]);
    await closed.close();
  });

  it.each(['127.0.0.1', '0.0.0.0', '192.168.1.2', '169.254.169.254'])(
    'uses the same address for data connections when the server supports PASV only and answers %s',
    async (host) => {
      await source.start();
      source.server.put('a.pdf', '%PDF-1.7 a');
      source.server.refuse = (command) => (command === 'EPSV' ? '500 ?' : undefined);
      source.server.passiveHost = host;
      const opened = source.session();
      const [ref] = await source.listed(opened);
      expect((await source.read(opened, ref!)).toString()).toBe('%PDF-1.7 a');
    },
  );

  it('does not send commands contained in names', async () => {
    await source.start();
    const opened = source.session();
    const folders = ['a\r\nDELE b', 'a\nDELE b'];
    expect(await ftp.resolve!(opened, 'folders', folders)).toEqual([null, null]);
    for (const folder of folders) {
      const error = await rejectionOf(ftp.options!(opened, 'folders', folder));
      expect(error).toMatchObject({ name: 'SelectionNotFound' });
    }
    const locator = { path: folders[0]!, size: 1, version: 'x' };
    const error = await rejectionOf(source.read(opened, { filename: 'a', locator } as never));
    expect(error).toMatchObject({ name: 'DocumentUnavailable' });
    expect(source.server.commands.join('\n')).not.toContain('DELE');
  });

  it.each([1, 2])('works with the number of connections that the server allows (%i)', async (mostLines) => {
    await source.start({ mostLines });
    for (let n = 0; n < 12; n++) source.server.put(`${n}.pdf`, `%PDF-1.7 ${n}`.padEnd(50_000));
    const opened = source.session();
    const documents = await source.listed(opened);
    const contents = await Promise.all(documents.map((ref) => source.read(opened, ref)));
    expect(new Set(contents.map((content) => content.toString().trim())).size).toBe(12);
  });
});
