import type { Command } from 'commander';
import { type AsJson, type Cli, cliActor } from '../../shared/cli';
import { AS_JSON, leaf } from '../../shared/commands';
import { text, uuid } from '../../shared/parse';

const PROGRESS_EVERY = 1_000;
const WAITING_EVERY_MS = 5_000;

interface ExportOptions extends AsJson {
  readonly recipient: string;
  readonly output: string;
}

interface ConfirmOptions extends AsJson {
  readonly receipt: string;
}

interface DeleteMovedOptions extends AsJson {
  readonly code: string;
}

/** The commands at the installation that an environment leaves. */
export function addExportCommands(environment: Command, cli: Cli): void {
  leaf(
    environment,
    'export',
    'Stop serving an environment and write it into an encrypted file for another installation. Can be cut short and run again.',
  )
    .argument('<environment>', '', uuid('The environment'))
    .requiredOption(
      '--recipient <key>',
      'The key that "environment transfer-key" prints at the target.',
      text('--recipient'),
    )
    .requiredOption('--output <file>', 'The file to write.', text('--output'))
    .option(...AS_JSON)
    .action((environmentUuid: string, options: ExportOptions) => exportTo(cli, environmentUuid, options));
  leaf(
    environment,
    'confirm-export',
    'Give an environment up for good, after its import; prints the code for "environment activate" at the target.',
  )
    .argument('<environment>', '', uuid('The environment'))
    .requiredOption('--receipt <code>', 'The code that "environment import" has printed.', text('--receipt'))
    .option(...AS_JSON)
    .action((environmentUuid: string, options: ConfirmOptions) => confirm(cli, environmentUuid, options));
  leaf(environment, 'cancel-export', 'Serve an environment again whose export has not been confirmed.')
    .argument('<environment>', '', uuid('The environment'))
    .option(...AS_JSON)
    .action((environmentUuid: string, options: AsJson) => cancel(cli, environmentUuid, options));
  leaf(
    environment,
    'delete-moved',
    'Delete what is left here of an environment that another installation serves. Can be cut short and run again.',
  )
    .argument('<environment>', '', uuid('The environment'))
    .requiredOption('--code <code>', 'The code that "environment activate" has printed.', text('--code'))
    .option(...AS_JSON)
    .action((environmentUuid: string, options: DeleteMovedOptions) => deleteMoved(cli, environmentUuid, options));
}

async function exportTo({ application, print }: Cli, environmentUuid: string, options: ExportOptions) {
  const { recipient, output, json } = options;
  const { exportEnvironment } = await application.useCases();
  let reportedAt = performance.now();
  const line = (words: string) => {
    if (!json) print.line(words);
  };
  const { transferUuid, contents } = await exportEnvironment.export(
    cliActor(),
    environmentUuid,
    { recipient, path: output },
    {
      waiting: ({ deliveries, events, refreshes, responses }) => {
        if (performance.now() - reportedAt < WAITING_EVERY_MS) return;
        reportedAt = performance.now();
        line(
          `Waiting for ${deliveries} deliveries, ${events} events, ${refreshes} token refreshes and ${responses} responses to end`,
        );
      },
      content: (count) => {
        if (count % PROGRESS_EVERY === 0) line(`${count} documents`);
      },
    },
  );
  print.result(json, { environment_uuid: environmentUuid, transfer_uuid: transferUuid, contents, file: output }, [
    `${contents} documents and all records of ${environmentUuid} are in ${output}.`,
    'This installation no longer serves the environment. Run "environment import" at the target, or "environment cancel-export" here.',
  ]);
}

async function confirm({ application, print }: Cli, environmentUuid: string, { receipt, json }: ConfirmOptions) {
  const { confirmExport } = await application.useCases();
  const code = await confirmExport.confirm(cliActor(), environmentUuid, receipt);
  print.result(json, { environment_uuid: environmentUuid, activation_code: code }, [
    `Activation code  ${code}`,
    `At the target: docfetch environment activate ${environmentUuid} --code=${code}`,
  ]);
}

async function cancel({ application, print }: Cli, environmentUuid: string, { json }: AsJson) {
  const { cancelExport } = await application.useCases();
  await cancelExport.cancel(cliActor(), environmentUuid);
  print.result(json, { environment_uuid: environmentUuid }, [
    'The environment is served here again. Its export cannot be activated: delete the file, and run "environment discard-import" at the target.',
  ]);
}

async function deleteMoved({ application, print }: Cli, environmentUuid: string, { code, json }: DeleteMovedOptions) {
  const { deleteCopy } = await application.useCases();
  await deleteCopy.deleteMoved(cliActor(), environmentUuid, code);
  print.result(json, { environment_uuid: environmentUuid }, ['The copy of the environment is deleted.']);
}
