import { CommandRunner, Option, SubCommand } from 'nest-commander';
import { Application } from '../../use-cases/application';
import { text } from '../../shared/parse';
import { cliActor, Print, uuid } from '../../shared/print';

const PROGRESS_EVERY = 1_000;
const WAITING_EVERY_MS = 5_000;

interface ExportOptions {
  recipient: string;
  output: string;
  json?: boolean;
}

@SubCommand({
  name: 'export',
  arguments: '<environment>',
  description:
    'Stop serving an environment and write it into an encrypted file for another installation. Can be cut short and run again.',
})
export class ExportEnvironmentCommand extends CommandRunner {
  constructor(
    private readonly application: Application,
    private readonly print: Print,
  ) {
    super();
  }

  async run([environment]: string[], { recipient, output, json }: ExportOptions): Promise<void> {
    const environmentUuid = uuid('The environment', environment!);
    const { exportEnvironment } = await this.application.useCases();
    let reportedAt = performance.now();
    const line = (words: string) => {
      if (!json) this.print.line(words);
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
    this.print.result(
      json,
      { environment_uuid: environmentUuid, transfer_uuid: transferUuid, contents, file: output },
      [
        `${contents} documents and all records of ${environmentUuid} are in ${output}.`,
        'This installation no longer serves the environment. Run "environment import" at the target, or "environment cancel-export" here.',
      ],
    );
  }

  @Option({
    flags: '--recipient <key>',
    description: 'The key that "environment transfer-key" prints at the target.',
    required: true,
  })
  parseRecipient(value: string): string {
    return text('--recipient', value);
  }

  @Option({ flags: '--output <file>', description: 'The file to write.', required: true })
  parseOutput(value: string): string {
    return text('--output', value);
  }

  @Option({ flags: '--json', description: 'Print JSON.' })
  parseJson(): boolean {
    return true;
  }
}

@SubCommand({
  name: 'cancel-export',
  arguments: '<environment>',
  description: 'Serve an environment again whose export has not been confirmed.',
})
export class CancelExportCommand extends CommandRunner {
  constructor(
    private readonly application: Application,
    private readonly print: Print,
  ) {
    super();
  }

  async run([environment]: string[], options: { json?: boolean }): Promise<void> {
    const environmentUuid = uuid('The environment', environment!);
    const { cancelExport } = await this.application.useCases();
    await cancelExport.cancel(cliActor(), environmentUuid);
    this.print.result(options.json, { environment_uuid: environmentUuid }, [
      'The environment is served here again. Its export cannot be activated: delete the file, and run "environment discard-import" at the target.',
    ]);
  }

  @Option({ flags: '--json', description: 'Print JSON.' })
  parseJson(): boolean {
    return true;
  }
}

@SubCommand({
  name: 'confirm-export',
  arguments: '<environment>',
  description:
    'Give an environment up for good, after its import; prints the code for "environment activate" at the target.',
})
export class ConfirmExportCommand extends CommandRunner {
  constructor(
    private readonly application: Application,
    private readonly print: Print,
  ) {
    super();
  }

  async run([environment]: string[], options: { receipt: string; json?: boolean }): Promise<void> {
    const environmentUuid = uuid('The environment', environment!);
    const { confirmExport } = await this.application.useCases();
    const code = await confirmExport.confirm(cliActor(), environmentUuid, options.receipt);
    this.print.result(options.json, { environment_uuid: environmentUuid, activation_code: code }, [
      `Activation code  ${code}`,
      `At the target: docfetch environment activate ${environmentUuid} --code=${code}`,
    ]);
  }

  @Option({ flags: '--receipt <code>', description: 'The code that "environment import" has printed.', required: true })
  parseReceipt(value: string): string {
    return text('--receipt', value);
  }

  @Option({ flags: '--json', description: 'Print JSON.' })
  parseJson(): boolean {
    return true;
  }
}

@SubCommand({
  name: 'delete-moved',
  arguments: '<environment>',
  description:
    'Delete what is left here of an environment that another installation serves. Can be cut short and run again.',
})
export class DeleteMovedCommand extends CommandRunner {
  constructor(
    private readonly application: Application,
    private readonly print: Print,
  ) {
    super();
  }

  async run([environment]: string[], options: { code: string; json?: boolean }): Promise<void> {
    const environmentUuid = uuid('The environment', environment!);
    const { deleteCopy } = await this.application.useCases();
    await deleteCopy.deleteMoved(cliActor(), environmentUuid, options.code);
    this.print.result(options.json, { environment_uuid: environmentUuid }, ['The copy of the environment is deleted.']);
  }

  @Option({ flags: '--code <code>', description: 'The code that "environment activate" has printed.', required: true })
  parseCode(value: string): string {
    return text('--code', value);
  }

  @Option({ flags: '--json', description: 'Print JSON.' })
  parseJson(): boolean {
    return true;
  }
}
