import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface KeyAndCertificate {
  readonly key: string;
  readonly cert: string;
}

const CONFIG = `
[ca]
default_ca = authority
[authority]
database = index.txt
new_certs_dir = .
certificate = ca.pem
private_key = ca.key
rand_serial = yes
unique_subject = no
default_md = sha256
copy_extensions = copy
policy = any
[any]
commonName = supplied
`;
const NEW_KEY = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];

/** A certificate authority of its own, made with openssl in a folder that `remove` deletes. */
export class CertificateAuthority {
  private readonly folder = mkdtempSync(join(tmpdir(), 'docfetch-ca-'));
  /** PEM. */
  readonly certificate: string;
  private issued = 0;

  constructor() {
    writeFileSync(join(this.folder, 'ca.cnf'), CONFIG);
    writeFileSync(join(this.folder, 'index.txt'), '');
    this.openssl('req', '-x509', ...NEW_KEY, '-subj', '/CN=Test authority', '-keyout', 'ca.key', '-out', 'ca.pem');
    this.certificate = this.read('ca.pem');
  }

  /** For a host (`DNS:localhost`, `IP:127.0.0.1`), good for a day, or expired six years ago. */
  issue(host: string, { isExpired = false } = {}): KeyAndCertificate {
    const name = `leaf-${++this.issued}`;
    const [key, request, out] = [`${name}.key`, `${name}.csr`, `${name}.pem`];
    const subject = ['-subj', '/CN=Test server', '-addext', `subjectAltName=${host}`];
    this.openssl('req', '-new', ...NEW_KEY, ...subject, '-keyout', key, '-out', request);
    const expired = ['-startdate', '200101000000Z', '-enddate', '200201000000Z'];
    const validity = isExpired ? expired : ['-days', '1'];
    this.openssl('ca', '-batch', '-notext', '-config', 'ca.cnf', '-in', request, '-out', out, ...validity);
    return { key: this.read(key), cert: this.read(out) };
  }

  remove(): void {
    rmSync(this.folder, { recursive: true });
  }

  private openssl(...args: string[]): void {
    execFileSync('openssl', args, { cwd: this.folder, stdio: 'pipe' });
  }

  private read(file: string): string {
    return readFileSync(join(this.folder, file), 'utf8');
  }
}
