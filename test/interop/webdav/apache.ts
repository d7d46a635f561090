import { createHash } from 'node:crypto';
import { chmod, chown, mkdir, mkdtemp, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir, userInfo } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { digestChallenge, DigestLogin } from '../../../src/integrations/webdav/client/digest-login';
import { makeCertificate } from '../../fakes/imap/certificate';
import { MODIFIED_AT } from '../storage/modified-at';
import { installed, ServerProcess } from '../storage/server-process';
import { freePort } from '../../harness/free-port';

const MODULES = '/usr/lib/apache2/modules';
/** The account that Debian creates for web servers; Apache serves nothing as root. */
const ACCOUNT = { name: 'www-data', id: 33 };

/** A real Apache with mod_dav in its own folder. */
export class Apache {
  readonly user = 'anna';
  readonly password = 'geheim "mit" ü:';

  private constructor(
    private readonly home: string,
    private readonly process: ServerProcess,
    readonly port: number,
    readonly root: string,
    /** The authority that issued its certificate, if any. */
    readonly ca: string | undefined,
  ) {}

  /** Throws with the package to install when Apache is missing. */
  static async start({ withTls = false, withDigest = false } = {}): Promise<Apache> {
    const binary = installed(['/usr/sbin/apache2'], 'apache2-bin');
    const home = await mkdtemp(join(tmpdir(), 'apache-'));
    const root = join(home, 'files');
    await mkdir(join(root, 'dav'), { recursive: true });
    await mkdir(join(home, 'state'));
    const { ca, cert, key } = makeCertificate();
    await writeFile(join(home, 'cert.pem'), cert);
    await writeFile(join(home, 'key.pem'), key);
    const server = { user: 'anna', password: 'geheim "mit" ü:' };
    const sha1 = createHash('sha1').update(server.password).digest('base64');
    const md5 = createHash('md5').update(`${server.user}:interop:${server.password}`).digest('hex');
    await writeFile(
      join(home, 'users'),
      withDigest ? `${server.user}:interop:${md5}\n` : `${server.user}:{SHA}${sha1}\n`,
    );
    const isRoot = userInfo().uid === 0;
    if (isRoot) {
      await chmod(home, 0o755);
      await chown(join(home, 'state'), ACCOUNT.id, ACCOUNT.id);
    }
    const port = await freePort();
    const modules = [
      'mpm_event',
      'authn_core',
      'authn_file',
      'authz_core',
      'authz_user',
      'auth_basic',
      'dav',
      'dav_fs',
    ];
    await writeFile(
      join(home, 'apache.conf'),
      [
        ...[...modules, 'auth_digest', 'deflate', 'filter', 'alias', ...(withTls ? ['ssl'] : [])].map(
          (name) => `LoadModule ${name}_module ${MODULES}/mod_${name}.so`,
        ),
        `ServerRoot ${home}`,
        `DefaultRuntimeDir ${home}`,
        `Mutex file:${home} default`,
        'ServerName localhost',
        `Listen 127.0.0.1:${port}`,
        `PidFile ${home}/pid`,
        'ErrorLog "|$/bin/cat >&2"',
        'LogLevel notice',
        ...(isRoot ? [`User ${ACCOUNT.name}`, `Group ${ACCOUNT.name}`] : []),
        `DocumentRoot ${root}`,
        `DavLockDB ${home}/state/locks`,
        // A compressed response has another ETag.
        'SetOutputFilter DEFLATE',
        'Redirect permanent /frueher /dav/',
        '<Location /dav>',
        '  Dav On',
        `  AuthType ${withDigest ? 'Digest' : 'Basic'}`,
        ...(withDigest ? ['  AuthDigestNonceLifetime 1'] : []),
        '  AuthName interop',
        `  AuthUserFile ${home}/users`,
        '  Require valid-user',
        '</Location>',
        // Other users are rejected with a 401, not with a 403.
        '<Location /dav/nur-bob>',
        '  Require user bob',
        '</Location>',
        ...(withTls
          ? ['SSLEngine on', `SSLCertificateFile ${home}/cert.pem`, `SSLCertificateKeyFile ${home}/key.pem`]
          : []),
        '',
      ].join('\n'),
    );
    try {
      const args = ['-D', 'FOREGROUND', '-f', join(home, 'apache.conf')];
      const process = await ServerProcess.start(binary, args, (line) => line.includes('resuming normal operations'));
      return new Apache(home, process, port, root, withTls ? ca : undefined);
    } catch (error) {
      await rm(home, { recursive: true, force: true });
      throw error;
    }
  }

  /** Step-1 input that logs in. */
  get fields(): Record<string, unknown> {
    const url = `${this.ca === undefined ? 'http' : 'https'}://localhost:${this.port}/dav/`;
    return { url, user: this.user, password: this.password };
  }

  /** Adds a file below the user's root. */
  async put(path: string, content: Buffer | string, modified = MODIFIED_AT): Promise<void> {
    const file = join(this.root, 'dav', path);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, content);
    await utimes(file, modified, modified);
  }

  /** Resolves when a nonce that is issued now has expired; with Digest that is after a second. */
  async nonceEnds(): Promise<void> {
    const ask = (authorization?: string) =>
      fetch(String(this.fields['url']), { method: 'OPTIONS', ...(authorization && { headers: { authorization } }) });
    const asked = digestChallenge((await ask()).headers.get('www-authenticate') ?? '');
    if (!asked) throw new Error('Apache does not ask for Digest.');
    const login = new DigestLogin(asked, this.user, this.password);
    for (let isStale = false; !isStale; await setTimeout(50)) {
      const { headers } = await ask(login.header('OPTIONS', '/dav/'));
      isStale = digestChallenge(headers.get('www-authenticate') ?? '')?.isStale === true;
    }
  }

  async stop(): Promise<void> {
    await this.process.stop();
    await rm(this.home, { recursive: true, force: true, maxRetries: 5 });
  }
}
