import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import * as read from './setting-parsers';
import { type ProviderSettings, readProviders } from './provider-settings';
import { type BucketSettings, parseStorageUrl } from '../storage/storage-url';

/** A 256-bit key with the id that is stored with everything it protects. */
export interface NamedKey {
  readonly id: string;
  readonly bytes: Buffer;
}

export type Role = 'all' | 'api' | 'worker';

/** Every error found in the settings, one line each. */
export class InvalidSettings extends Error {
  constructor(readonly faults: readonly string[]) {
    super(faults.join('\n'));
    this.name = 'InvalidSettings';
  }
}

/** decisions 6: about 72 hours, longer than a weekend. */
export const RETRY_SCHEDULE = '0s,30s,2m,10m,30m,1h,2h,4h,8h,12h,20h,24h';

/** The values of all settings (decisions 8). */
interface SettingValues {
  readonly production: boolean;
  readonly port: number;
  readonly publicUrl: string;
  /** Null: the embedded database below `dataDir`. */
  readonly databaseUrl: string | null;
  readonly databasePool: number;
  readonly dataDir: string;
  /** The bucket that stores documents. Null: the database stores them. */
  readonly storage: BucketSettings | null;
  /** The first one encrypts, all of them decrypt. */
  readonly encryptionKeys: readonly NamedKey[];
  /** Seeds of Ed25519 keys. The first one signs, all of them verify. */
  readonly tokenKeys: readonly NamedKey[];
  readonly role: Role;
  readonly workerConcurrency: number;
  /** Documents sent to one client endpoint at the same time. */
  readonly pushConcurrency: number;
  /** Seconds before each attempt to push a document, counted from the previous one (decisions 6). The first is 0. */
  readonly pushRetrySchedule: readonly number[];
  readonly networkAllow: readonly string[];
  /** Requests a minute per API key, and per UI token (decisions 3). */
  readonly rateLimitPerKey: number;
  readonly rateLimitPerToken: number;
  /** Failed authentications a minute per address. */
  readonly rateLimitFailures: number;
  /** The proxies whose `X-Forwarded-For` is trusted: their number, or their networks; 0 for none. */
  readonly trustProxy: number | readonly string[];
  readonly logLevel: string;
  /** A separate port for the metrics. Null: they are served on `port` if there is a token. */
  readonly metricsPort: number | null;
  /** The token that a scrape has to send (`Authorization: Bearer …`). Null: none is required. */
  readonly metricsToken: string | null;
  /** Settings of single integrations, by integration id. */
  readonly providers: Readonly<Record<string, ProviderSettings>>;
}

/** The settings of one process. The only reader of `process.env` is `Settings.fromEnvironment`. */
// eslint-disable-next-line @typescript-eslint/no-unsafe-declaration-merging -- the values are assigned in one place
export interface Settings extends SettingValues {}
// eslint-disable-next-line @typescript-eslint/no-unsafe-declaration-merging -- the values are assigned in one place
export class Settings {
  /**
   * Reads and checks every setting, and reports all errors at once.
   * @throws InvalidSettings
   */
  static fromEnvironment(env: NodeJS.ProcessEnv = process.env): Settings {
    const faults: string[] = [];

    const setting = <T>(name: string, parse: (text: string) => T, fallback: T): T => {
      const text = env[name]?.trim();
      if (!text) return fallback;
      try {
        return parse(text);
      } catch (fault) {
        faults.push(`${name} ${(fault as Error).message}`);
        return fallback;
      }
    };
    // An unknown value ("prod") would mean development, where keys are optional and private addresses are reachable.
    const mode = setting('NODE_ENV', read.oneOf(['production', 'development', 'test'] as const), 'development');
    const production = mode === 'production';
    const need = (name: string, because: string) => {
      if (production && !env[name]?.trim()) faults.push(`${name} is required when NODE_ENV is production: ${because}`);
    };

    need(
      'DATABASE_URL',
      'the address of the PostgreSQL server, for example postgres://user:password@host:5432/docfetch',
    );
    need('PUBLIC_URL', 'the address under which browsers and client backends reach the service');
    need('ENCRYPTION_KEYS', 'id:base64 of 32 random bytes, comma-separated, the first one encrypts');
    need('TOKEN_KEYS', 'id:base64 of 32 random bytes, comma-separated, the first one signs');

    const port = setting('PORT', read.port, 3000);
    const dataDir = resolve(setting('DATA_DIR', read.text, '.docfetch'));
    const values: SettingValues = {
      production,
      port,
      publicUrl: setting('PUBLIC_URL', read.origin, `http://localhost:${port}`),
      databaseUrl: setting<string | null>('DATABASE_URL', read.postgresUrl, null),
      databasePool: setting('DATABASE_POOL', read.integer(2, 500), 20),
      dataDir,
      storage: setting<BucketSettings | null>('STORAGE_URL', parseStorageUrl, null),
      encryptionKeys: setting('ENCRYPTION_KEYS', read.keys, []),
      tokenKeys: setting('TOKEN_KEYS', read.keys, []),
      role: setting<Role>('ROLE', read.oneOf(['all', 'api', 'worker'] as const), 'all'),
      workerConcurrency: setting('WORKER_CONCURRENCY', read.integer(1, 1000), 10),
      pushConcurrency: setting('PUSH_CONCURRENCY', read.integer(1, 100), 8),
      pushRetrySchedule: setting('PUSH_RETRY_SCHEDULE', read.retrySchedule, read.retrySchedule(RETRY_SCHEDULE)),
      networkAllow: setting('NETWORK_ALLOW', read.cidrs, production ? [] : ['127.0.0.0/8', '::1/128']),
      rateLimitPerKey: setting('RATE_LIMIT_PER_KEY', read.integer(1, 1_000_000_000), 600),
      rateLimitPerToken: setting('RATE_LIMIT_PER_TOKEN', read.integer(1, 1_000_000_000), 120),
      rateLimitFailures: setting('RATE_LIMIT_FAILURES', read.integer(1, 1_000_000_000), 20),
      trustProxy: setting<number | string[]>('TRUST_PROXY', read.proxies, 0),
      logLevel: setting(
        'LOG_LEVEL',
        read.oneOf(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const),
        'info',
      ),
      metricsPort: setting<number | null>('METRICS_PORT', read.integer(1, 65_535), null),
      metricsToken: setting<string | null>('METRICS_TOKEN', read.bearer, null),
      providers: readProviders(env, faults),
    };
    if (values.metricsPort === port) faults.push('METRICS_PORT must be another port than PORT');
    if (faults.length > 0) throw new InvalidSettings(faults);

    return new Settings({
      ...values,
      encryptionKeys: values.encryptionKeys.length
        ? values.encryptionKeys
        : [loadOrCreateKey(dataDir, 'encryption-key')],
      tokenKeys: values.tokenKeys.length ? values.tokenKeys : [loadOrCreateKey(dataDir, 'token-key')],
    });
  }

  constructor(values: SettingValues) {
    Object.assign(this, values);
  }

  /** The same settings with some replaced. */
  with(changes: Partial<SettingValues>): Settings {
    return new Settings({ ...this, ...changes });
  }

  get runsApi(): boolean {
    return this.role !== 'worker';
  }

  get runsWorker(): boolean {
    return this.role !== 'api';
  }

  /** Whether this process exposes metrics. */
  get showsMetrics(): boolean {
    return this.metricsPort !== null || this.metricsToken !== null;
  }
}

/** Outside production a missing key is generated once and stored in the data directory, readable by the owner only. */
function loadOrCreateKey(dataDir: string, name: string): NamedKey {
  const path = join(dataDir, name);
  if (!existsSync(path)) {
    mkdirSync(dataDir, { recursive: true, mode: 0o755 });
    try {
      writeFileSync(path, `local:${randomBytes(32).toString('base64')}\n`, { mode: 0o600, flag: 'wx' });
    } catch (error) {
      // Another process has generated the key at the same moment: use that one.
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
  }
  return read.keys(readFileSync(path, 'utf8').trim())[0]!;
}
