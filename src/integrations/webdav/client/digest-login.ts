import { createHash, randomBytes } from 'node:crypto';

/** A Digest challenge (RFC 7616 section 3.3). */
export interface DigestChallenge {
  readonly realm: string;
  readonly nonce: string;
  readonly opaque: string | undefined;
  readonly algorithm: keyof typeof HASHES;
  /** Absent for servers that predate RFC 2617. */
  readonly qop: 'auth' | undefined;
  /** The nonce was too old; the password may be right. */
  readonly isStale: boolean;
}

const HASHES = { MD5: 'md5', 'MD5-sess': 'md5', 'SHA-256': 'sha256', 'SHA-256-sess': 'sha256' } as const;
/** In descending strength. */
const ALGORITHMS = ['SHA-256', 'SHA-256-sess', 'MD5', 'MD5-sess'] as const;

/** A scheme, or a parameter with its value. */
const TOKEN = /([!#$%&'*+.^`|~\w-]+)(?:\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s,"]+)))?/g;

/** The strongest supported Digest challenge of a 401; undefined when there is none. */
export function digestChallenge(header: string | readonly string[] | undefined): DigestChallenge | undefined {
  const found = challengesIn([header ?? []].flat().join(', ')).flatMap((each) => challengeOf(each) ?? []);
  return ALGORITHMS.map((name) => found.find(({ algorithm }) => algorithm === name)).find((each) => each !== undefined);
}

/** Computes the responses to a challenge for consecutive requests. */
export class DigestLogin {
  private count = 0;

  constructor(
    private readonly challenge: DigestChallenge,
    private readonly user: string,
    private readonly password: string,
    private readonly makeNonce: () => string = () => randomBytes(16).toString('hex'),
  ) {}

  /** The value of `Authorization` for a request; `path` as in the request line, including the query. */
  header(method: string, path: string): string {
    const { realm, nonce, opaque, algorithm, qop } = this.challenge;
    const hash = (...parts: string[]) => createHash(HASHES[algorithm]).update(parts.join(':'), 'utf8').digest('hex');
    const count = (++this.count).toString(16).padStart(8, '0');
    const ours = this.makeNonce();
    const secret = hash(this.user, realm, this.password);
    const first = algorithm.endsWith('-sess') ? hash(secret, nonce, ours) : secret;
    const second = hash(method, path);
    const response = qop ? hash(first, nonce, count, ours, qop, second) : hash(first, nonce, second);
    const parameters = [
      `username=${quoted(this.user)}`,
      `realm=${quoted(realm)}`,
      `nonce=${quoted(nonce)}`,
      `uri=${quoted(path)}`,
      `algorithm=${algorithm}`,
      `response="${response}"`,
      ...(opaque === undefined ? [] : [`opaque=${quoted(opaque)}`]),
      ...(qop ? [`qop=${qop}`, `nc=${count}`, `cnonce="${ours}"`] : []),
    ];
    return `Digest ${parameters.join(', ')}`;
  }
}

/** Header values are bytes: non-ASCII characters are sent as UTF-8. */
function quoted(text: string): string {
  return `"${Buffer.from(text, 'utf8').toString('latin1').replace(/["\\]/g, '\\$&')}"`;
}

type Parameters = ReadonlyMap<string, string>;

/** The parameters of every Digest challenge. A name without a value starts another challenge. */
function challengesIn(header: string): Parameters[] {
  const challenges: { scheme: string; parameters: Map<string, string> }[] = [];
  for (const [, name, inQuotes, bare] of header.slice(0, 8_192).matchAll(TOKEN)) {
    const value = inQuotes?.replace(/\\(.)/g, '$1') ?? bare;
    if (value === undefined) challenges.push({ scheme: name!.toLowerCase(), parameters: new Map() });
    else challenges.at(-1)?.parameters.set(name!.toLowerCase(), value);
  }
  return challenges.filter(({ scheme }) => scheme === 'digest').map(({ parameters }) => parameters);
}

function challengeOf(parameters: Parameters): DigestChallenge | undefined {
  const [realm, nonce] = [parameters.get('realm'), parameters.get('nonce')];
  const stated = parameters.get('algorithm') ?? 'MD5';
  const algorithm = ALGORITHMS.find((name) => name.toLowerCase() === stated.toLowerCase());
  const qop = parameters
    .get('qop')
    ?.split(',')
    .map((each) => each.trim().toLowerCase());
  if (realm === undefined || nonce === undefined || !algorithm || (qop && !qop.includes('auth'))) return undefined;
  return {
    // Unchanged: its bytes are hashed and sent back.
    realm: Buffer.from(realm, 'latin1').toString('utf8'),
    nonce,
    opaque: parameters.get('opaque'),
    algorithm,
    qop: qop ? 'auth' : undefined,
    isStale: parameters.get('stale')?.toLowerCase() === 'true',
  };
}
