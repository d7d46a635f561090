import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../../harness/free-port';
import { installed, ServerProcess } from '../storage/server-process';

const REGION = 'eu-central-1';
const ACCOUNT = '111122223333';
/** Key ids with their material, so that they survive a restart. */
const KEYS: Readonly<Record<string, string>> = {
  'bc436485-5092-42b8-92a3-0aa8b93536dc': '11'.repeat(32),
  'c9fa7a5b-2bd4-4f6f-9f1b-7a8f6f2e9d10': '22'.repeat(32),
};

/** https://github.com/nsmithuk/local-kms, which speaks the protocol of AWS KMS. */
export class LocalKms {
  static readonly arns = Object.keys(KEYS).map((id) => `arn:aws:kms:${REGION}:${ACCOUNT}:key/${id}`);
  private process: ServerProcess | null = null;

  private constructor(
    private readonly folder: string,
    readonly port: number,
  ) {}

  static async start(): Promise<LocalKms> {
    const kms = new LocalKms(mkdtempSync(join(tmpdir(), 'local-kms-')), await freePort());
    const keys = Object.entries(KEYS).map(([id, material]) =>
      [`      - Metadata:`, `          KeyId: ${id}`, `        BackingKeys:`, `          - ${material}`].join('\n'),
    );
    writeFileSync(join(kms.folder, 'seed.yaml'), `Keys:\n  Symmetric:\n    Aes:\n${keys.join('\n')}\n`);
    await kms.start();
    return kms;
  }

  async start(): Promise<void> {
    const program = installed(['/usr/local/bin/local-kms'], 'golang-go && .ci/install-local-kms');
    this.process = await ServerProcess.start(program, [], (line) => line.includes('started on'), {
      PORT: String(this.port),
      KMS_REGION: REGION,
      KMS_ACCOUNT_ID: ACCOUNT,
      KMS_DATA_PATH: join(this.folder, 'data'),
      KMS_SEED_PATH: join(this.folder, 'seed.yaml'),
    });
  }

  async stop(): Promise<void> {
    await this.process?.stop('SIGKILL');
    this.process = null;
  }

  async remove(): Promise<void> {
    await this.stop();
    rmSync(this.folder, { recursive: true, force: true });
  }
}
