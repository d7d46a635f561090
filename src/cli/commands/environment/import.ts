import type { Command } from 'commander';
import { type AsJson, type Cli, cliActor } from '../../shared/cli';
import { AS_JSON, leaf } from '../../shared/commands';
import { text, uuid } from '../../shared/parse';

const PROGRESS_EVERY = 1_000;

interface ActivateOptions extends AsJson {
  readonly code: string;
}

/** The commands at the installation to which an environment moves. */
export function addImportCommands(environment: Command, cli: Cli): void {
  leaf(
    environment,
    'transfer-key',
    'Print the public key of this installation, to which environments are exported that it is to import.',
  )
    .option(...AS_JSON)
    .action((options: AsJson) => showTransferKey(cli, options));
  leaf(
    environment,
    'import',
    'Import an environment from the file of an export; it waits for its activation. Can be cut short and run again.',
  )
    .argument('<file>')
    .option(...AS_JSON)
    .action((file: string, options: AsJson) => importFrom(cli, file, options));
  leaf(environment, 'activate', 'Serve an imported environment from now on.')
    .argument('<environment>', '', uuid('The environment'))
    .requiredOption('--code <code>', 'The code that "environment confirm-export" has printed.', text('--code'))
    .option(...AS_JSON)
    .action((environmentUuid: string, options: ActivateOptions) => activate(cli, environmentUuid, options));
  leaf(
    environment,
    'discard-import',
    'Delete an imported environment, also one that was imported in part, that is not activated.',
  )
    .argument('<environment>', '', uuid('The environment'))
    .option(...AS_JSON)
    .action((environmentUuid: string, options: AsJson) => discard(cli, environmentUuid, options));
}

async function showTransferKey({ application, print }: Cli, { json }: AsJson) {
  const { transferKeys } = await application.useCases();
  const recipient = await transferKeys.recipient();
  print.result(json, { recipient }, [recipient]);
}

async function importFrom({ application, print }: Cli, file: string, { json }: AsJson) {
  const { importEnvironment } = await application.useCases();
  const { environmentUuid, receipt, isNew } = await importEnvironment.import(cliActor(), file, (count) => {
    if (!json && count % PROGRESS_EVERY === 0) print.line(`${count} documents`);
  });
  print.result(json, { environment_uuid: environmentUuid, receipt, is_new: isNew }, [
    isNew
      ? `The environment ${environmentUuid} is imported.`
      : `The environment ${environmentUuid} was imported before.`,
    `Receipt  ${receipt}`,
    `At the source: docfetch environment confirm-export ${environmentUuid} --receipt=${receipt}`,
  ]);
}

async function activate({ application, print }: Cli, environmentUuid: string, { code, json }: ActivateOptions) {
  const { activateEnvironment } = await application.useCases();
  const completion = await activateEnvironment.activate(cliActor(), environmentUuid, code);
  print.result(json, { environment_uuid: environmentUuid, completion_code: completion }, [
    'This installation serves the environment.',
    `At the source, when nothing of it is needed there: docfetch environment delete-moved ${environmentUuid} --code=${completion}`,
  ]);
}

async function discard({ application, print }: Cli, environmentUuid: string, { json }: AsJson) {
  const { deleteCopy } = await application.useCases();
  await deleteCopy.discardImport(cliActor(), environmentUuid);
  print.result(json, { environment_uuid: environmentUuid }, ['The import is discarded.']);
}
