import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { imap } from '../../../src/integrations/imap/imap';
import { Unreachable } from '../../../src/integrations/shared/reachability/unreachable-code';
import { CertificateAuthority, type KeyAndCertificate } from '../../harness/certificates';
import { Dovecot, DOVECOT_USER } from './dovecot';
import { mailboxSession } from './mailbox-session';

type MakeCertificate = (
  trusted: CertificateAuthority,
  unknown: CertificateAuthority,
  sha1: CertificateAuthority,
) => Promise<KeyAndCertificate>;

/** Each wrong kind of certificate with its reason. `trusted` and `sha1` are public authorities, `unknown` is one that nobody trusts. */
const KINDS: readonly (readonly [kind: string, reason: string, make: MakeCertificate])[] = [
  ['has expired', 'EXPIRED', (trusted) => trusted.issue('localhost', { isExpired: true })],
  [
    'is of an intermediate authority whose own has expired',
    'EXPIRED',
    async (trusted) => withIssuer(await trusted.createIntermediate({ isExpired: true })),
  ],
  ['is not valid yet', 'NOT_YET_VALID', (trusted) => trusted.issue('localhost', { isNotYetValid: true })],
  ['is for another name', 'WRONG_NAME', (trusted) => trusted.issue('other.example')],
  ['is for the names below this one', 'WRONG_NAME', (trusted) => trusted.issue('*.localhost')],
  ['is self-signed', 'SELF_SIGNED', () => CertificateAuthority.selfSigned('localhost')],
  ['is of an unknown authority', 'UNKNOWN_AUTHORITY', (_, unknown) => withIssuer(unknown)],
  [
    'comes without that of its intermediate authority',
    'INCOMPLETE',
    async (trusted) => (await trusted.createIntermediate()).issue('localhost'),
  ],
  ['is for clients', 'WRONG_PURPOSE', (trusted) => trusted.issue('localhost', { isForClients: true })],
  ['has a key that is too short', 'WEAK', (trusted) => trusted.issue('localhost', { hasWeakKey: true })],
  ['has a weak signature', 'WEAK', (_trusted, _unknown, sha1) => sha1.issue('localhost')],
];

async function withIssuer(authority: CertificateAuthority): Promise<KeyAndCertificate> {
  const { key, cert } = await authority.issue('localhost');
  return { key, cert: `${cert}\n${authority.certificate}` };
}

describe('The IMAP connector with the certificates of Dovecot', () => {
  const systemAuthorities = getCACertificates('default');
  let trusted: CertificateAuthority;
  let sha1: CertificateAuthority;
  let dovecot: Dovecot | undefined;

  beforeAll(async () => {
    trusted = await CertificateAuthority.create();
    sha1 = await CertificateAuthority.create({ hasWeakSignature: true });
    setDefaultCACertificates([...systemAuthorities, trusted.certificate, sha1.certificate]);
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

  it.each(KINDS)('reports one that %s: %s', async (_kind, reason, make) => {
    const certificate = await make(trusted, await CertificateAuthority.create(), sha1);
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
