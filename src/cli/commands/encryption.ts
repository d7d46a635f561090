import type { Command } from 'commander';
import { type AsJson, type Cli, cliActor } from '../shared/cli';
import { AS_JSON, group, leaf } from '../shared/commands';
import { uuid } from '../shared/parse';

interface RotateDataKeysOptions extends AsJson {
  readonly environment?: string;
}

export function addEncryptionCommands(program: Command, cli: Cli): void {
  const encryption = group(program, 'encryption', 'Master keys and data keys.');
  leaf(
    encryption,
    'rotate',
    'Wrap all data keys with the first of ENCRYPTION_KEYS. Can be cut short and run again at any time.',
  )
    .option(...AS_JSON)
    .action((options: AsJson) => rotate(cli, options));
  leaf(
    encryption,
    'rotate-data-keys',
    'Replace the data keys of an environment, or of all. The workers encrypt everything with the new ones.',
  )
    .option('--environment <uuid>', 'The environment. Left out: all of them.', uuid('--environment'))
    .option(...AS_JSON)
    .action((options: RotateDataKeysOptions) => rotateDataKeys(cli, options));
  leaf(encryption, 'status', 'Show how far the replacement of data keys is, by environment.')
    .option(...AS_JSON)
    .action((options: AsJson) => showStatus(cli, options));
}

async function rotate({ application, print }: Cli, { json }: AsJson) {
  const progress = (done: number, total: number) => {
    if (!json) print.line(`${done} of ${total}`);
  };
  // With incomplete keys it rewraps what it can and names the missing one.
  const useCases = await application.useCases({ missingKeys: true });
  const { keyId, rewrapped } = await useCases.rotate.rotate(cliActor(), progress);
  print.result(json, { key_id: keyId, rewrapped }, [
    `${rewrapped} data keys rewrapped. All data keys use "${keyId}"; other keys can be removed from ENCRYPTION_KEYS.`,
  ]);
}

async function rotateDataKeys({ application, print }: Cli, { environment, json }: RotateDataKeysOptions) {
  const { replaceDataKeys } = await application.useCases();
  const { environments, dataKeys } = await replaceDataKeys.request(cliActor(), environment ?? null);
  print.result(json, { environments, data_keys: dataKeys }, [
    `${dataKeys} data keys get a successor, which encrypts in ten minutes. "encryption status" shows how far the workers are.`,
  ]);
}

async function showStatus({ application, print }: Cli, { json }: AsJson) {
  const { keyStatus } = await application.useCases();
  const rows = (await keyStatus.read()).map((status) => ({
    environment_uuid: status.environmentUuid,
    data_keys: status.dataKeys,
    waiting: status.waiting,
    former: status.former,
    contents_left: status.contentsLeft,
    replaced_at: status.oldestReplacedAt?.toISOString() ?? null,
  }));
  const lines = rows.map(
    (row) =>
      `${row.environment_uuid}: ${row.data_keys} data keys, ${row.waiting} successors waiting, ${row.former} former ones (${row.contents_left} contents left)`,
  );
  print.result(json, rows, lines);
}
