import { parseStorageUrl } from '../storage/storage-url';
import * as read from './setting-parsers';

/** The groups of `docs/settings.md`, in its order. */
export const SECTIONS = {
  basics: 'Address, database and keys',
  documents: 'Documents',
  network: 'Network',
  capacity: 'Capacity and limits',
  providers: 'Providers',
  observability: 'Logs and metrics',
} as const;

/** One setting: its environment variable, how it is parsed, and what `docs/settings.md` says about it. */
export interface SettingDefinition<T = unknown, D extends string | null = string | null> {
  readonly variable: string;
  readonly section: keyof typeof SECTIONS;
  /** @throws Error whose message continues the name of the variable, and contains no secret */
  readonly parse: (text: string) => T;
  /** The text that applies when the variable is not set. Null: the value is null, or is computed by `Settings`. */
  readonly default: D;
  /** What applies without the variable, in Markdown, where `default` does not say it. */
  readonly defaultDescription?: string;
  /** Set: the variable is required in production. The text says what it has to contain. */
  readonly requiredInProduction?: string;
  /** Markdown, one line. */
  readonly description: string;
}

const setting = <T, D extends string | null>(definition: SettingDefinition<T, D>): SettingDefinition<T, D> =>
  definition;

/** Every setting of a process (decisions 8) but those of single providers (`provider-settings.ts`). */
export const SETTING_DEFINITIONS = {
  production: setting({
    variable: 'NODE_ENV',
    section: 'basics',
    // An unknown value ("prod") would mean development, where keys are optional and private addresses are reachable.
    parse: (text) => read.oneOf(['production', 'development', 'test'] as const)(text) === 'production',
    default: 'development',
    description: '`production` requires the settings marked ●; `test` behaves like `development`',
  }),
  port: setting({
    variable: 'PORT',
    section: 'basics',
    parse: read.port,
    default: '3000',
    description: 'the port of the process',
  }),
  publicUrl: setting({
    variable: 'PUBLIC_URL',
    section: 'basics',
    parse: read.origin,
    default: null,
    defaultDescription: '`http://localhost:<PORT>`',
    requiredInProduction: 'the address under which browsers and client backends reach the service',
    description: 'the address under which browsers and client backends reach the service; also the issuer of UI tokens',
  }),
  role: setting({
    variable: 'ROLE',
    section: 'basics',
    parse: read.oneOf(['all', 'api', 'worker'] as const),
    default: 'all',
    description: '`api` answers requests, `worker` fetches and pushes, `all` does both',
  }),
  /** Null: the embedded database below `dataDir`. */
  databaseUrl: setting({
    variable: 'DATABASE_URL',
    section: 'basics',
    parse: read.postgresUrl,
    default: null,
    defaultDescription: 'an embedded PostgreSQL 18 in `DATA_DIR`',
    requiredInProduction:
      'the address of the PostgreSQL server, for example postgres://user:password@host:5432/docfetch',
    description:
      '`postgres://user:password@host:5432/database`; over TLS with `?sslmode=verify-full`, and `&sslrootcert=/path/authority.pem` unless a public authority has certified the server',
  }),
  databasePool: setting({
    variable: 'DATABASE_POOL',
    section: 'basics',
    parse: read.integer(2, 500),
    default: '20',
    description: 'maximum number of database connections of the process (2–500); the job engine uses up to 4 more',
  }),
  databasePooler: setting({
    variable: 'DATABASE_POOLER',
    section: 'basics',
    parse: read.oneOf(['transaction', 'session'] as const),
    default: null,
    defaultDescription: '`DATABASE_URL` is the database server itself',
    description:
      'how the connection pooler at `DATABASE_URL` shares its connections: `transaction` or `session`. Effects and requirements: [operations.md](operations.md#poolers)',
  }),
  databaseDirectUrl: setting({
    variable: 'DATABASE_DIRECT_URL',
    section: 'basics',
    parse: read.postgresUrl,
    default: null,
    defaultDescription: '`DATABASE_URL`',
    description:
      'an address of the same database that keeps the session of a connection, for `npm run migrate`, which requires it with `DATABASE_POOLER=transaction`; not allowed without `DATABASE_POOLER`',
  }),
  dataDir: setting({
    variable: 'DATA_DIR',
    section: 'basics',
    parse: read.text,
    default: '.docfetch',
    description:
      'the embedded database and the keys that were generated here; unused when `DATABASE_URL` and both keys are set',
  }),
  /** The first one encrypts, all of them decrypt. */
  encryptionKeys: setting({
    variable: 'ENCRYPTION_KEYS',
    section: 'basics',
    parse: read.keys,
    default: null,
    defaultDescription: 'one is generated in `DATA_DIR/encryption-key`',
    requiredInProduction: 'id:base64 of 32 random bytes, comma-separated, the first one encrypts',
    description: '`id:base64,…`, each 32 random bytes; the first one encrypts, all of them decrypt',
  }),
  /** Seeds of the keys that sign UI tokens. The first one signs, all of them verify. */
  tokenKeys: setting({
    variable: 'TOKEN_KEYS',
    section: 'basics',
    parse: read.keys,
    default: null,
    defaultDescription: 'one is generated in `DATA_DIR/token-key`',
    requiredInProduction: 'id:base64 of 32 random bytes, comma-separated, the first one signs',
    description: 'the same format, for UI tokens: the first one signs, all of them verify',
  }),
  /** The bucket that stores documents. Null: the database stores them. */
  storage: setting({
    variable: 'STORAGE_URL',
    section: 'documents',
    parse: parseStorageUrl,
    default: null,
    defaultDescription: 'the database',
    description:
      'a bucket for the bytes of documents, at Amazon or any other S3-compatible storage: `s3://bucket/prefix?region=…&access_key=…&secret_key=…`, with `&endpoint=https://…` for storage other than Amazon and `&addressing=host` when the bucket is part of the host name. Requirements and effects: [operations.md](operations.md#a-bucket-for-documents)',
  }),
  /** The folder of the operator's own files of providers. */
  providersDir: setting({
    variable: 'PROVIDERS_DIR',
    section: 'providers',
    parse: read.folder,
    default: null,
    description:
      'a folder with files of providers (`<id>.yaml`) that are added to those of the build at the start. `docfetch provider check` checks them. See [provider-language.md](provider-language.md#your-own-providers)',
  }),
  networkAllow: setting({
    variable: 'NETWORK_ALLOW',
    section: 'network',
    parse: read.cidrs,
    default: null,
    defaultDescription: 'loopback; nothing in production',
    description: 'private networks that fetches and pushes may reach, `10.1.0.0/16,…`; public addresses need no entry',
  }),
  /** The proxies whose `X-Forwarded-For` is trusted: their number, or their networks; 0 for none. */
  trustProxy: setting({
    variable: 'TRUST_PROXY',
    section: 'network',
    parse: read.proxies,
    default: '0',
    description:
      'the proxies whose `X-Forwarded-For` is trusted: this number of proxies in front of the service (0–9), or the proxies in these networks, `10.1.0.0/16,…`',
  }),
  workerConcurrency: setting({
    variable: 'WORKER_CONCURRENCY',
    section: 'capacity',
    parse: read.integer(1, 1000),
    default: '10',
    description: 'connections that one worker fetches at the same time (1–1000)',
  }),
  /** Documents sent to one client endpoint at the same time. */
  pushConcurrency: setting({
    variable: 'PUSH_CONCURRENCY',
    section: 'capacity',
    parse: read.integer(1, 100),
    default: '8',
    description: 'documents sent to one client endpoint at the same time (1–100)',
  }),
  /** Seconds before each attempt to push a document, counted from the previous one (decisions 6). The first is 0. */
  pushRetrySchedule: setting({
    variable: 'PUSH_RETRY_SCHEDULE',
    section: 'capacity',
    parse: read.retrySchedule,
    // About 72 hours, longer than a weekend (decisions 6).
    default: '0s,30s,2m,10m,30m,1h,2h,4h,8h,12h,20h,24h',
    description:
      'the delays before the attempts to push a document, each counted from the previous attempt; the number of delays is the number of attempts. The delays begin with `0s` and increase; `s`, `m`, `h`, `d`, 7 days at most',
  }),
  /** Requests a minute per API key (decisions 3). */
  rateLimitPerKey: setting({
    variable: 'RATE_LIMIT_PER_KEY',
    section: 'capacity',
    parse: read.integer(1, 1_000_000_000),
    default: '600',
    description:
      'requests per minute per API key, over all processes (at least 1; the same applies to the next two settings)',
  }),
  /** Requests a minute per UI token (decisions 3). */
  rateLimitPerToken: setting({
    variable: 'RATE_LIMIT_PER_TOKEN',
    section: 'capacity',
    parse: read.integer(1, 1_000_000_000),
    default: '120',
    description: 'requests per minute per UI token',
  }),
  /** Failed authentications a minute per address. */
  rateLimitFailures: setting({
    variable: 'RATE_LIMIT_FAILURES',
    section: 'capacity',
    parse: read.integer(1, 1_000_000_000),
    default: '20',
    description: 'failed authentications per minute per client address',
  }),
  logLevel: setting({
    variable: 'LOG_LEVEL',
    section: 'observability',
    parse: read.oneOf(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const),
    default: 'info',
    description: '`fatal`, `error`, `warn`, `info`, `debug`, `trace` or `silent`',
  }),
  /** A separate port for the metrics. Null: they are served on `port` if there is a token. */
  metricsPort: setting({
    variable: 'METRICS_PORT',
    section: 'observability',
    parse: read.integer(1, 65_535),
    default: null,
    description:
      'a separate port for `GET /metrics` (Prometheus), on all interfaces, which serves nothing else; do not publish it',
  }),
  /** The token that a scrape has to send (`Authorization: Bearer …`). Null: none is required. */
  metricsToken: setting({
    variable: 'METRICS_TOKEN',
    section: 'observability',
    parse: read.bearer,
    default: null,
    description:
      'the token that scrapers have to send, as `Authorization: Bearer …` (32 characters or more); without `METRICS_PORT`, metrics are on `PORT`. Without both settings there are no metrics',
  }),
};

type Definitions = typeof SETTING_DEFINITIONS;

/** The value of each setting as its variable says it; null where the variable is not set and has no default. */
export type DefinedValues = {
  readonly [Name in keyof Definitions]: Definitions[Name] extends SettingDefinition<infer T, infer D>
    ? D extends null
      ? T | null
      : T
    : never;
};

/**
 * Reads every defined setting. An empty variable counts as not set.
 * @param errors receives one line for each invalid or missing setting
 */
export function readDefinedValues(env: NodeJS.ProcessEnv, errors: string[]): DefinedValues {
  const read = ({ variable, parse, default: fallback }: SettingDefinition): unknown => {
    const text = env[variable]?.trim() || fallback;
    if (text === null) return null;
    try {
      return parse(text);
    } catch (error) {
      errors.push(`${variable} ${(error as Error).message}`);
      return fallback === null ? null : parse(fallback);
    }
  };
  const names = Object.keys(SETTING_DEFINITIONS) as (keyof Definitions)[];
  const values = Object.fromEntries(names.map((name) => [name, read(SETTING_DEFINITIONS[name])])) as DefinedValues;
  if (values.production) {
    for (const { variable, requiredInProduction } of Object.values<SettingDefinition>(SETTING_DEFINITIONS)) {
      if (requiredInProduction !== undefined && !env[variable]?.trim())
        errors.push(`${variable} is required when NODE_ENV is production: ${requiredInProduction}`);
    }
  }
  return values;
}
