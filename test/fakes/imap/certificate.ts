import { generateKeyPairSync, randomBytes, sign, type KeyObject } from 'node:crypto';
import { isIP } from 'node:net';

/** A certificate and its key in PEM. */
export interface Certified {
  readonly cert: string;
  readonly key: string;
}

export interface CertificateSpec {
  /** Names and IP addresses. Default: localhost and both loopback addresses. */
  readonly hosts?: readonly string[];
  readonly notBefore?: Date;
  readonly notAfter?: Date;
}

const DAY = 86_400_000;
const SEQUENCE = 0x30;
const SET = 0x31;
const COMMON_NAME = '2.5.4.3';
const ECDSA_SHA256 = '1.2.840.10045.4.3.2';

/**
 * Makes a certification authority and a server certificate signed by it (X.509 v3, RFC 5280, ECDSA on P-256). The DER is
 * written here because Node makes keys and signatures but no certificates, and a fresh machine need not have openssl.
 */
export function makeCertificate(spec: CertificateSpec = {}): Certified & { readonly ca: string } {
  const { hosts = ['localhost', '127.0.0.1', '::1'] } = spec;
  const authority = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const server = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const issuer = `Test authority ${randomBytes(4).toString('hex')}`;
  const extensions = {
    // keyCertSign and cRLSign; digitalSignature.
    ca: [extension('2.5.29.19', true, der(SEQUENCE, der(0x01, Buffer.from([0xff])))), keyUsage(0x06, 1)],
    server: [extension('2.5.29.19', true, der(SEQUENCE)), keyUsage(0x80, 7), alternativeNames(hosts)],
  };
  const ca = certificate(issuer, authority.privateKey, issuer, authority.publicKey, extensions.ca, {});
  const subject = hosts[0] ?? 'localhost';
  const cert = certificate(issuer, authority.privateKey, subject, server.publicKey, extensions.server, spec);
  return { ca, cert, key: server.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString() };
}

function certificate(
  issuer: string,
  issuerKey: KeyObject,
  subject: string,
  subjectKey: KeyObject,
  extensions: readonly Buffer[],
  { notBefore = new Date(Date.now() - DAY), notAfter = new Date(Date.now() + 30 * DAY) }: CertificateSpec,
): string {
  const algorithm = der(SEQUENCE, objectId(ECDSA_SHA256));
  const serial = Buffer.concat([Buffer.from([0x01]), randomBytes(15)]);
  const content = der(
    SEQUENCE,
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, serial),
    algorithm,
    distinguishedName(issuer),
    der(SEQUENCE, time(notBefore), time(notAfter)),
    distinguishedName(subject),
    subjectKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, der(SEQUENCE, ...extensions)),
  );
  const signature = der(0x03, Buffer.from([0]), sign('sha256', content, issuerKey));
  const base64 = der(SEQUENCE, content, algorithm, signature).toString('base64');
  return `-----BEGIN CERTIFICATE-----\n${base64.match(/.{1,64}/g)!.join('\n')}\n-----END CERTIFICATE-----\n`;
}

function der(tag: number, ...contents: Buffer[]): Buffer {
  const content = Buffer.concat(contents);
  if (content.length < 0x80) return Buffer.concat([Buffer.from([tag, content.length]), content]);
  const length = Buffer.from(content.length.toString(16).padStart(content.length > 0xff ? 4 : 2, '0'), 'hex');
  return Buffer.concat([Buffer.from([tag, 0x80 | length.length]), length, content]);
}

function objectId(text: string): Buffer {
  const [first, second, ...rest] = text.split('.').map(Number);
  const bytes = [first! * 40 + second!];
  for (const arc of rest) {
    const groups = [arc & 0x7f];
    for (let left = arc >>> 7; left > 0; left >>>= 7) groups.unshift((left & 0x7f) | 0x80);
    bytes.push(...groups);
  }
  return der(0x06, Buffer.from(bytes));
}

function distinguishedName(commonName: string): Buffer {
  return der(SEQUENCE, der(SET, der(SEQUENCE, objectId(COMMON_NAME), der(0x0c, Buffer.from(commonName)))));
}

function time(date: Date): Buffer {
  const digits = date.toISOString().replace(/[-:T]|\.\d+/g, '');
  return date.getUTCFullYear() < 2050 ? der(0x17, Buffer.from(digits.slice(2))) : der(0x18, Buffer.from(digits));
}

function extension(id: string, critical: boolean, value: Buffer): Buffer {
  const flag = critical ? [der(0x01, Buffer.from([0xff]))] : [];
  return der(SEQUENCE, objectId(id), ...flag, der(0x04, value));
}

function keyUsage(bits: number, unused: number): Buffer {
  return extension('2.5.29.15', true, der(0x03, Buffer.from([unused, bits])));
}

function alternativeNames(hosts: readonly string[]): Buffer {
  const names = hosts.map((host) => (isIP(host) ? der(0x87, addressBytes(host)) : der(0x82, Buffer.from(host))));
  return extension('2.5.29.17', false, der(SEQUENCE, ...names));
}

function addressBytes(address: string): Buffer {
  if (isIP(address) === 4) return Buffer.from(address.split('.').map(Number));
  const [head = '', tail = ''] = address.split('::');
  const groups = (text: string) => (text ? text.split(':') : []);
  const zeros = Array<string>(8 - groups(head).length - groups(tail).length).fill('0');
  const all = address.includes('::') ? [...groups(head), ...zeros, ...groups(tail)] : groups(address);
  return Buffer.from(all.map((group) => group.padStart(4, '0')).join(''), 'hex');
}
