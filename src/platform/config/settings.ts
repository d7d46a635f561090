import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { checkKms } from './kms-settings';
import { checkMailReceipt } from './mail/mail-receipt';
import { keys, type MasterKey, type NamedKey } from './master-key';
import { checkPooler, checkReplica } from './pooler';
import { type ProviderSettings, readProviders } from './provider-settings';
import { type DefinedValues, readDefinedValues } from './read-defined-values';

export type Role = DefinedValues['role'];

/** Every error found in the settings, one line each. */
export class InvalidSettings extends Error {
  constructor(readonly problems: readonly string[]) {
    super(problems.join('\n'));
    this.name = 'InvalidSettings';
  }
}

/** The values of all settings (decisions 8), with what `setting-definitions.ts` leaves to be computed. */
type SettingValues = Omit<DefinedValues, 'publicUrl' | 'networkAllow' | 'encryptionKeys' | 'tokenKeys'> & {
  readonly publicUrl: string;
  readonly networkAllow: readonly string[];
  readonly encryptionKeys: readonly MasterKey[];
  readonly tokenKeys: readonly NamedKey[];
  /** Settings of single integrations, by integration id. */
  readonly providers: Readonly<Record<string, ProviderSettings>>;
};

/** The settings of one process. The only reader of `process.env` is `Settings.fromEnvironment`, but for the variables of AWS (`storage/aws-environment.ts`). */
// eslint-disable-next-line @typescript-eslint/no-unsafe-declaration-merging -- the values are assigned in one place
export interface Settings extends SettingValues {}
// eslint-disable-next-line @typescript-eslint/no-unsafe-declaration-merging -- the values are assigned in one place
export class Settings {
  /**
   * Reads and checks every setting, and reports all errors at once.
   * @throws InvalidSettings
   */
  static fromEnvironment(env: NodeJS.ProcessEnv = process.env): Settings {
    const problems: string[] = [];
    const given = readDefinedValues(env, problems);
    const providers = readProviders(env, problems);
    checkPooler(given, problems);
    checkReplica(given, problems);
    checkMailReceipt(given, problems);
    checkKms(given, problems);
    if (given.metricsPort === given.port) problems.push('METRICS_PORT must be another port than PORT');
    if (problems.length > 0) throw new InvalidSettings(problems);

    const dataDir = resolve(given.dataDir);
    return new Settings({
      ...given,
      dataDir,
      publicUrl: given.publicUrl ?? `http://localhost:${given.port}`,
      networkAllow: given.networkAllow ?? (given.production ? [] : ['127.0.0.0/8', '::1/128']),
      encryptionKeys: given.encryptionKeys ?? [loadOrCreateKey(dataDir, 'encryption-key')],
      tokenKeys: given.tokenKeys ?? [loadOrCreateKey(dataDir, 'token-key')],
      providers,
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

  /** Whether this process receives mails for the addresses of connections. */
  get receivesMail(): boolean {
    return this.runsApi && this.smtpPort !== null && this.inboxDomain !== null;
  }

  /** Whether this process exposes metrics. */
  get showsMetrics(): boolean {
    return this.metricsPort !== null || this.metricsToken !== null;
  }
}

/**
 * Outside production a missing key is generated once and stored in the data directory, readable by the owner only.
 * @throws InvalidSettings when the directory or the stored key cannot be used
 */
function loadOrCreateKey(dataDir: string, name: string): NamedKey {
  const path = join(dataDir, name);
  try {
    if (!existsSync(path)) createKey(dataDir, path);
    return keys(readFileSync(path, 'utf8').trim())[0]!;
  } catch (error) {
    throw new InvalidSettings([`DATA_DIR cannot be used: ${path}: ${(error as Error).message}`]);
  }
}

function createKey(dataDir: string, path: string): void {
  mkdirSync(dataDir, { recursive: true, mode: 0o755 });
  try {
    writeFileSync(path, `local:${randomBytes(32).toString('base64')}\n`, { mode: 0o600, flag: 'wx' });
  } catch (error) {
    // Another process has generated the key at the same moment: use that one.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}
