import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Integration } from '../../../src/integrations/core/integration';
import { readEncrypted, writeEncrypted } from '../../../src/transfers/file/encrypted-file';
import { frame, parseFrame, readFrames } from '../../../src/transfers/file/frames';
import type { TableFrame } from '../../../src/transfers/file/header';
import { TransferKeys } from '../../../src/transfers/file/transfer-keys';
import { MOVED_TABLES, environmentColumn } from '../../../src/transfers/moved-tables';
import type { TestClient } from '../../harness/app/test-client';
import { TestEngine } from '../../harness/engine/test-engine';
import { type CommandLine, commandLineOf } from '../cli/command-line';

/** Two installations with databases and master keys of their own, which share `TOKEN_KEYS` and `PUBLIC_URL`. */
export interface Installations {
  readonly source: TestEngine;
  readonly target: TestEngine;
  readonly atSource: CommandLine;
  readonly atTarget: CommandLine;
  /** A path for a file, which is removed afterwards. */
  file(name: string): string;
  /** Exports to the target; returns the path of the file. */
  export(environmentUuid: string, name?: string): Promise<string>;
  /**
   * Imports a file, confirms it at the source and activates the environment. Returns the code with which the source deletes its copy.
   * `imported` is called before the environment is served.
   */
  takeOver(environmentUuid: string, path: string, imported?: () => Promise<void>): Promise<string>;
}

/** `integrations`: those of the source, instead of those of the build. */
export function useInstallations(integrations?: readonly Integration[]): Installations {
  const own = {} as { source: TestEngine; target: TestEngine };
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'docfetch-transfer-'));
    own.source = await TestEngine.start({ integrations });
    own.target = await TestEngine.start({
      settings: { encryptionKeys: [{ id: 'target', bytes: Buffer.alloc(32, 8) }] },
    });
  });
  afterAll(async () => {
    await own.source?.stop();
    await own.target?.stop();
    await rm(folder, { recursive: true, force: true });
  });
  const atSource = commandLineOf(() => own.source.app);
  const atTarget = commandLineOf(() => own.target.app);
  const file = (name: string) => join(folder, name);
  return Object.assign(own, {
    atSource,
    atTarget,
    file,
    async export(environmentUuid: string, name = `${environmentUuid}.age`) {
      const { recipient } = await atTarget.json<{ recipient: string }>(['environment', 'transfer-key']);
      const output = ['--recipient', recipient, '--output', file(name)];
      await atSource.runSuccessfully(['environment', 'export', environmentUuid, ...output]);
      return file(name);
    },
    async takeOver(environmentUuid: string, path: string, imported?: () => Promise<void>) {
      const { receipt } = await atTarget.json<{ receipt: string }>(['environment', 'import', path]);
      await imported?.();
      const confirm = ['environment', 'confirm-export', environmentUuid, `--receipt=${receipt}`];
      const { activation_code } = await atSource.json<{ activation_code: string }>(confirm);
      const activate = ['environment', 'activate', environmentUuid, `--code=${activation_code}`];
      return (await atTarget.json<{ completion_code: string }>(activate)).completion_code;
    },
  });
}

/** The same client, with its key, at another installation. */
export function clientAt(
  { app }: TestEngine,
  client: TestClient,
): { get(path: string): Promise<Response> } & {
  post(path: string, body: object, headers?: Record<string, string>): Promise<Response>;
} {
  const headers = { 'X-API-KEY': client.apiKey };
  return {
    get: (path) => fetch(app.url + path, { headers }),
    post: (path, body, more = {}) =>
      fetch(app.url + path, {
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/json', ...more },
        body: JSON.stringify(body),
      }),
  };
}

/**
 * Writes a copy of an export for `engine` in which the rows of a table, or the keys (`data_key`), have another text (`to`) in place of one
 * of the same length.
 */
export async function exchangeRows(
  engine: TestEngine,
  path: string,
  copy: string,
  exchanged: string,
  [from, to]: readonly [string, string],
): Promise<void> {
  const keys = engine.app.app.get(TransferKeys, { strict: false });
  const identities = await keys.identities();
  async function* frames() {
    let table = '';
    for await (const next of readFrames(readEncrypted(path, identities))) {
      if (next.type === 'T') table = parseFrame<TableFrame>(next).table;
      const isExchanged = exchanged === 'data_key' ? next.type === 'K' : next.type === 'R' && table === exchanged;
      yield frame(next.type, isExchanged ? Buffer.from(next.payload.toString().replaceAll(from, to)) : next.payload);
    }
  }
  await writeEncrypted(copy, await keys.recipient(), frames());
}

/** Number and digest of the rows of an environment, by table; empty tables are left out. */
export async function digestRows(engine: TestEngine, environmentUuid: string): Promise<Record<string, string>> {
  const digests: Record<string, string> = {};
  for (const table of MOVED_TABLES) {
    // The fence and the entry of the import are all that differs.
    const row = table === 'environment' ? `(to_jsonb(t) - 'fence')` : 'to_jsonb(t)';
    const where = table === 'audit_log' ? ` and action <> 'environment.import'` : '';
    const [found] = await engine.rows<{ digest: string | null; count: string }>(
      `select md5(string_agg(${row}::text, ',' order by ${row}::text)) as digest, count(*) from "${table}" t
       where ${environmentColumn(table)} = $1${where}`,
      environmentUuid,
    );
    if (found!.count !== '0') digests[table] = `${found!.count} ${found!.digest}`;
  }
  return digests;
}
