import 'reflect-metadata';
import {
  BasicConstraintsExtension,
  ExtendedKeyUsageExtension,
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

/** What is special about a certificate; by default it is valid for a day. */
export interface CertificateKind {
  /** It was valid six years ago. */
  readonly isExpired?: boolean;
  /** It becomes valid tomorrow. */
  readonly isNotYetValid?: boolean;
  /** For clients only. */
  readonly isForClients?: boolean;
  /** RSA with 1024 bits, which OpenSSL no longer accepts. */
  readonly hasWeakKey?: boolean;
}

const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
const WEAK_ALGORITHM = {
  name: 'RSASSA-PKCS1-v1_5',
  modulusLength: 1024,
  publicExponent: new Uint8Array([1, 0, 1]),
  hash: 'SHA-256',
};
/** SHA-1, whose signatures OpenSSL no longer accepts. */
const WEAK_SIGNATURE = { ...WEAK_ALGORITHM, modulusLength: 2048, hash: 'SHA-1' };
const CLIENT_AUTHENTICATION = '1.3.6.1.5.5.7.3.2';
const DAY = 24 * 3600 * 1000;
const newKeys = (algorithm: typeof ALGORITHM | typeof WEAK_ALGORITHM = ALGORITHM) =>
  crypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);
type KeyPair = Awaited<ReturnType<typeof newKeys>>;

function validity({ isExpired = false, isNotYetValid = false }: CertificateKind): { notBefore: Date; notAfter: Date } {
  if (isExpired) return { notBefore: new Date('2020-01-01'), notAfter: new Date('2020-02-01') };
  const from = Date.now() + (isNotYetValid ? DAY : -DAY);
  return { notBefore: new Date(from), notAfter: new Date(from + 2 * DAY) };
}

/** A certificate authority that is not trusted yet. */
export class CertificateAuthority {
  private constructor(
    private readonly keys: KeyPair,
    private readonly own: X509Certificate,
    private readonly algorithm: typeof ALGORITHM | typeof WEAK_ALGORITHM = ALGORITHM,
  ) {}

  static async create({ hasWeakSignature = false } = {}): Promise<CertificateAuthority> {
    const algorithm = hasWeakSignature ? WEAK_SIGNATURE : ALGORITHM;
    const keys = await newKeys(algorithm);
    const own = await X509CertificateGenerator.createSelfSigned({
      name: `CN=Test authority ${crypto.randomUUID()}`,
      notBefore: new Date(Date.now() - DAY),
      notAfter: new Date(Date.now() + DAY),
      signingAlgorithm: algorithm,
      keys,
      extensions: [
        new BasicConstraintsExtension(true, undefined, true),
        new KeyUsagesExtension(KeyUsageFlags.keyCertSign, true),
      ],
    });
    return new CertificateAuthority(keys, own, algorithm);
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

  /** An authority whose certificate this one has signed: servers have to send it with their own (`certificate`). */
  async createIntermediate(kind: CertificateKind = {}): Promise<CertificateAuthority> {
    const keys = await newKeys();
    const own = await X509CertificateGenerator.create({
      subject: `CN=Test intermediate authority ${crypto.randomUUID()}`,
      issuer: this.own.subject,
      ...validity(kind),
      signingKey: this.keys.privateKey,
      publicKey: keys.publicKey,
      signingAlgorithm: this.algorithm,
      extensions: [
        new BasicConstraintsExtension(true, undefined, true),
        new KeyUsagesExtension(KeyUsageFlags.keyCertSign, true),
      ],
    });
    return new CertificateAuthority(keys, own);
  }

  /** PEM, for a host name (`localhost`). */
  async issue(host: string, kind: CertificateKind = {}): Promise<KeyAndCertificate> {
    const keys = await newKeys(kind.hasWeakKey ? WEAK_ALGORITHM : ALGORITHM);
    const certificate = await X509CertificateGenerator.create({
      subject: 'CN=Test server',
      issuer: this.own.subject,
      ...validity(kind),
      signingKey: this.keys.privateKey,
      publicKey: keys.publicKey,
      signingAlgorithm: this.algorithm,
      extensions: [
        new SubjectAlternativeNameExtension([{ type: 'dns', value: host }]),
        ...(kind.isForClients ? [new ExtendedKeyUsageExtension([CLIENT_AUTHENTICATION])] : []),
      ],
    });
    return { key: await toPem(keys), cert: certificate.toString('pem') };
  }
}

async function toPem({ privateKey }: KeyPair): Promise<string> {
  const pkcs8 = Buffer.from(await crypto.subtle.exportKey('pkcs8', privateKey));
  const lines = pkcs8.toString('base64').match(/.{1,64}/g)!;
  return ['-----BEGIN PRIVATE KEY-----', ...lines, '-----END PRIVATE KEY-----', ''].join('\n');
}
