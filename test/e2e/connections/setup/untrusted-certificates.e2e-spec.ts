import { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createServer, getCACertificates, type Server, setDefaultCACertificates, type TlsOptions } from 'node:tls';
import de from '../../../../i18n/de/validation.json';
import en from '../../../../i18n/en/validation.json';
import { useTestContext } from '../../../harness/app/test-context';
import { CertificateAuthority, type KeyAndCertificate } from '../../../harness/certificates';
import { expectError } from '../../../harness/http/expect-error';
import { CONNECTORS, SECRETS, WITH_TLS } from './typed-servers';

const LANGUAGES = { en, de };

interface Refused {
  readonly message: string;
  readonly fingerprint?: string;
}

/** The server of each kind: its certificate, and other options of its TLS. */
interface Kind {
  readonly certificate: (trusted: CertificateAuthority) => Promise<KeyAndCertificate>;
  readonly tls?: TlsOptions;
  readonly sentence: Exclude<keyof typeof en, 'labels'>;
}

async function withChain(issuer: CertificateAuthority): Promise<KeyAndCertificate> {
  const { key, cert } = await issuer.issue('localhost');
  return { key, cert: `${cert}\n${issuer.certificate}` };
}

/** Certificates that no public authority has issued for the name: the user may accept them. */
const UNTRUSTED: Readonly<Record<string, Kind>> = {
  'has expired': {
    certificate: (trusted) => trusted.issue('localhost', { isExpired: true }),
    sentence: 'CERTIFICATE_INVALID_EXPIRED',
  },
  'is not valid yet': {
    certificate: (trusted) => trusted.issue('localhost', { isNotYetValid: true }),
    sentence: 'CERTIFICATE_INVALID_NOT_YET_VALID',
  },
  'is for another name': {
    certificate: (trusted) => trusted.issue('other.example'),
    sentence: 'CERTIFICATE_INVALID_WRONG_NAME',
  },
  'is self-signed': {
    certificate: () => CertificateAuthority.selfSigned('localhost'),
    sentence: 'CERTIFICATE_INVALID_SELF_SIGNED',
  },
  'is of an unknown authority': {
    certificate: async () => withChain(await CertificateAuthority.create()),
    sentence: 'CERTIFICATE_INVALID_UNKNOWN_AUTHORITY',
  },
  'is of an unknown authority below another one': {
    certificate: async () => withChain(await (await CertificateAuthority.create()).createIntermediate()),
    sentence: 'CERTIFICATE_INVALID_UNKNOWN_AUTHORITY',
  },
  'comes without that of the intermediate authority': {
    certificate: async (trusted) => (await trusted.createIntermediate()).issue('localhost'),
    sentence: 'CERTIFICATE_INVALID_INCOMPLETE',
  },
};

const OUTDATED_CIPHERS = 'DEFAULT@SECLEVEL=0';

/** Servers that are not secure: nobody can accept them. */
const INSECURE: Readonly<Record<string, Kind & { readonly code: string; readonly isEncryption: boolean }>> = {
  'has a certificate with a weak key': {
    certificate: (trusted) => trusted.issue('localhost', { hasWeakKey: true }),
    tls: { ciphers: OUTDATED_CIPHERS },
    sentence: 'CERTIFICATE_INVALID_WEAK',
    ...{ code: 'CERTIFICATE_INVALID', isEncryption: false },
  },
  'supports TLS 1.1 at most': {
    certificate: (trusted) => trusted.issue('localhost'),
    tls: { ciphers: OUTDATED_CIPHERS, minVersion: 'TLSv1', maxVersion: 'TLSv1.1' },
    sentence: 'TLS_NOT_SUPPORTED_OUTDATED',
    ...{ code: 'TLS_NOT_SUPPORTED', isEncryption: true },
  },
  'has no cipher that is still secure': {
    certificate: (trusted) => trusted.issue('localhost'),
    tls: { ciphers: `NULL:${OUTDATED_CIPHERS}`, maxVersion: 'TLSv1.2', honorCipherOrder: true },
    sentence: 'TLS_NOT_SUPPORTED_OUTDATED',
    ...{ code: 'TLS_NOT_SUPPORTED', isEncryption: true },
  },
};

describe.each(WITH_TLS)('%s: a TLS server at setup (decisions 2 "Trusted servers")', (id) => {
  const context = useTestContext();
  const { fields, server: serverField } = CONNECTORS[id];
  const systemAuthorities = getCACertificates('default');
  let trusted: CertificateAuthority;
  let server: Server | undefined;
  let received = '';

  beforeAll(async () => {
    trusted = await CertificateAuthority.create();
    setDefaultCACertificates([...systemAuthorities, trusted.certificate]);
  });
  afterEach(async () => {
    server?.close();
    if (server) await once(server, 'close');
    for (const secret of SECRETS) {
      expect(received).not.toContain(secret);
      expect(received).not.toContain(Buffer.from(`anna:${secret}`).toString('base64'));
    }
    expect(await context.query('select uuid from connection')).toEqual([]);
  });
  afterAll(() => setDefaultCACertificates(systemAuthorities));

  async function present({ certificate, tls }: Kind): Promise<{ port: number; cert: string }> {
    const pair = await certificate(trusted);
    server = createServer({ ...tls, ...pair }, (socket) => {
      socket.on('error', () => undefined).on('data', (bytes) => void (received += bytes.toString('latin1')));
    }).on('tlsClientError', () => undefined);
    await once(server.listen(0, '127.0.0.1'), 'listening');
    return { port: (server.address() as AddressInfo).port, cert: pair.cert };
  }

  /** The only field error, which has the sentence in each language. */
  async function refused(port: number, { sentence }: Kind, field: string, code: string): Promise<Refused> {
    const input = fields('localhost', port, true);
    const body = { integration_id: id, name: 'Server', identity_uuid: context.identity, fields: input };
    let error: Refused | undefined;
    for (const lang of ['en', 'de'] as const) {
      const answer = await context.client.request('post', '/v1/connections').set('Lang', lang).send(body);
      expectError(answer, 422, 'PROVIDER_UNREACHABLE', { [`fields.${field}`]: code }, lang);
      [error] = (answer.body as { errors: [Refused] }).errors;
      expect(error.message).toBe(LANGUAGES[lang][sentence]);
    }
    return error!;
  }

  it.each(Object.entries(UNTRUSTED))('says that its certificate %s, and shows the fingerprint', async (_, kind) => {
    const { port, cert } = await present(kind);
    const { fingerprint } = await refused(port, kind, serverField, 'CERTIFICATE_INVALID');
    expect(fingerprint).toBe(new X509Certificate(cert).fingerprint256);
  });

  it.each(Object.entries(INSECURE))('says that it %s, which nobody can accept', async (_, kind) => {
    const { port } = await present(kind);
    const field = kind.isEncryption && serverField === 'host' ? 'security' : serverField;
    const { fingerprint } = await refused(port, kind, field, kind.code);
    expect(fingerprint).toBeUndefined();
  });
});
