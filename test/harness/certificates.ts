import 'reflect-metadata';
import {
  BasicConstraintsExtension,
  KeyUsageFlags,
  KeyUsagesExtension,
  SubjectAlternativeNameExtension,
  type X509Certificate,
  X509CertificateGenerator,
} from '@peculiar/x509';

export interface KeyAndCertificate {
  readonly key: string;
  readonly cert: string;
}

const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
const DAY = 24 * 3600 * 1000;
const newKeys = () => crypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify']);
type KeyPair = Awaited<ReturnType<typeof newKeys>>;

/** A certificate authority that is not trusted yet. */
export class CertificateAuthority {
  private constructor(
    private readonly keys: KeyPair,
    private readonly own: X509Certificate,
  ) {}

  static async create(): Promise<CertificateAuthority> {
    const keys = await newKeys();
    const own = await X509CertificateGenerator.createSelfSigned({
      name: 'CN=Test authority',
      notBefore: new Date(Date.now() - DAY),
      notAfter: new Date(Date.now() + DAY),
      signingAlgorithm: ALGORITHM,
      keys,
      extensions: [
        new BasicConstraintsExtension(true, undefined, true),
        new KeyUsagesExtension(KeyUsageFlags.keyCertSign, true),
      ],
    });
    return new CertificateAuthority(keys, own);
  }

  /** A self-signed certificate. */
  static async selfSigned(host: string): Promise<KeyAndCertificate> {
    const keys = await newKeys();
    const certificate = await X509CertificateGenerator.createSelfSigned({
      name: 'CN=Test server',
      notBefore: new Date(Date.now() - DAY),
      notAfter: new Date(Date.now() + DAY),
      signingAlgorithm: ALGORITHM,
      keys,
      extensions: [new SubjectAlternativeNameExtension([{ type: 'dns', value: host }])],
    });
    return { key: await toPem(keys), cert: certificate.toString('pem') };
  }

  /** PEM. */
  get certificate(): string {
    return this.own.toString('pem');
  }

  /** PEM, for a host name (`localhost`), valid for a day, or expired six years ago. */
  async issue(host: string, { isExpired = false } = {}): Promise<KeyAndCertificate> {
    const keys = await newKeys();
    const certificate = await X509CertificateGenerator.create({
      subject: 'CN=Test server',
      issuer: this.own.subject,
      notBefore: isExpired ? new Date('2020-01-01') : new Date(Date.now() - DAY),
      notAfter: isExpired ? new Date('2020-02-01') : new Date(Date.now() + DAY),
      signingKey: this.keys.privateKey,
      publicKey: keys.publicKey,
      signingAlgorithm: ALGORITHM,
      extensions: [new SubjectAlternativeNameExtension([{ type: 'dns', value: host }])],
    });
    return { key: await toPem(keys), cert: certificate.toString('pem') };
  }
}

async function toPem({ privateKey }: KeyPair): Promise<string> {
  const pkcs8 = Buffer.from(await crypto.subtle.exportKey('pkcs8', privateKey));
  const lines = pkcs8.toString('base64').match(/.{1,64}/g)!;
  return ['-----BEGIN PRIVATE KEY-----', ...lines, '-----END PRIVATE KEY-----', ''].join('\n');
}
