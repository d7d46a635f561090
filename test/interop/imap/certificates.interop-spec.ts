import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { imap } from '../../../src/integrations/imap/imap';
import { Unreachable } from '../../../src/integrations/shared/reachability/unreachable-code';
import { CertificateAuthority, type KeyAndCertificate } from '../../harness/certificates';
import { Dovecot, DOVECOT_USER } from './dovecot';
import { mailboxSession } from './mailbox-session';

/** The certificate of each kind, with a public authority and one that nobody trusts. */
const KINDS: Readonly<
  Record<string, (trusted: CertificateAuthority, unknown: CertificateAuthority) => Promise<KeyAndCertificate>>
> = {
  EXPIRED: (trusted) => trusted.issue('localhost', { isExpired: true }),
  NOT_YET_VALID: (trusted) => trusted.issue('localhost', { isNotYetValid: true }),
  WRONG_NAME: (trusted) => trusted.issue('other.example'),
  SELF_SIGNED: () => CertificateAuthority.selfSigned('localhost'),
  UNKNOWN_AUTHORITY: (_, unknown) => withIssuer(unknown),
  INCOMPLETE: async (trusted) => (await trusted.createIntermediate()).issue('localhost'),
};

async function withIssuer(authority: CertificateAuthority): Promise<KeyAndCertificate> {
  const { key, cert } = await authority.issue('localhost');
  return { key, cert: `${cert}\n${authority.certificate}` };
}

describe('The IMAP connector with the certificates of Dovecot', () => {
  const systemAuthorities = getCACertificates('default');
  let trusted: CertificateAuthority;
  let dovecot: Dovecot | undefined;

  beforeAll(async () => {
    trusted = await CertificateAuthority.create();
    setDefaultCACertificates([...systemAuthorities, trusted.certificate]);
  });
  afterEach(async () => {
    await dovecot?.stop();
    dovecot = undefined;
  });
  afterAll(() => setDefaultCACertificates(systemAuthorities));

  /** Logs in with TLS from the first byte on, or with STARTTLS. */
  async function logIn(certificate: KeyAndCertificate, security: 'TLS' | 'STARTTLS'): Promise<unknown> {
    dovecot ??= await Dovecot.start({ certificate });
    const port = security === 'TLS' ? dovecot.tlsPort : dovecot.port;
    const opened = mailboxSession({ fields: { host: dovecot.host, port, security, ...DOVECOT_USER } });
    try {
      return await imap.check(opened);
    } finally {
      await opened.end();
    }
  }

  it.each(Object.entries(KINDS))('reports the reason: %s', async (reason, certificateOf) => {
    const certificate = await certificateOf(trusted, await CertificateAuthority.create());
    for (const security of ['TLS', 'STARTTLS'] as const) {
      const error = await logIn(certificate, security).catch((failure: unknown) => failure);
      expect(error).toBeInstanceOf(Unreachable);
      expect(error).toMatchObject({ code: 'CERTIFICATE_INVALID', exactReason: `CERTIFICATE_INVALID_${reason}` });
    }
  });

  it('accepts one of an intermediate authority that the server sends', async () => {
    const certificate = await withIssuer(await trusted.createIntermediate());
    expect(await logIn(certificate, 'TLS')).toMatchObject({ display: DOVECOT_USER.user });
  });
});
