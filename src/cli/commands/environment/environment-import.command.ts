import { CommandRunner, Option, SubCommand } from 'nest-commander';
import { Application } from '../../use-cases/application';
import { text } from '../../shared/parse';
import { cliActor, Print, uuid } from '../../shared/print';

const PROGRESS_EVERY = 1_000;

@SubCommand({
  name: 'transfer-key',
  description: 'Print the public key of this installation, to which environments are exported that it is to import.',
})
export class TransferKeyCommand extends CommandRunner {
  constructor(
    private readonly application: Application,
    private readonly print: Print,
  ) {
    super();
  }

  async run(_: string[], options: { json?: boolean }): Promise<void> {
    const { transferKeys } = await this.application.useCases();
    const recipient = await transferKeys.recipient();
    this.print.result(options.json, { recipient }, [recipient]);
  }

  @Option({ flags: '--json', description: 'Print JSON.' })
  parseJson(): boolean {
    return true;
  }
}

@SubCommand({
  name: 'import',
  arguments: '<file>',
  description:
    'Import an environment from the file of an export; it waits for its activation. Can be cut short and run again.',
})
export class ImportEnvironmentCommand extends CommandRunner {
  constructor(
    private readonly application: Application,
    private readonly print: Print,
  ) {
    super();
  }

  async run([file]: string[], { json }: { json?: boolean }): Promise<void> {
    const { importEnvironment } = await this.application.useCases();
    const { environmentUuid, receipt, isNew } = await importEnvironment.import(cliActor(), file!, (count) => {
      if (!json && count % PROGRESS_EVERY === 0) this.print.line(`${count} documents`);
    });
    this.print.result(json, { environment_uuid: environmentUuid, receipt, is_new: isNew }, [
      isNew
        ? `The environment ${environmentUuid} is imported.`
        : `The environment ${environmentUuid} was imported before.`,
      `Receipt  ${receipt}`,
      `At the source: docfetch environment confirm-export ${environmentUuid} --receipt=${receipt}`,
    ]);
  }

  @Option({ flags: '--json', description: 'Print JSON.' })
  parseJson(): boolean {
    return true;
  }
}

@SubCommand({
  name: 'activate',
  arguments: '<environment>',
  description: 'Serve an imported environment from now on.',
})
export class ActivateEnvironmentCommand extends CommandRunner {
  constructor(
    private readonly application: Application,
    private readonly print: Print,
  ) {
    super();
  }

  async run([environment]: string[], options: { code: string; json?: boolean }): Promise<void> {
    const environmentUuid = uuid('The environment', environment!);
    const { activateEnvironment } = await this.application.useCases();
    const code = await activateEnvironment.activate(cliActor(), environmentUuid, options.code);
    this.print.result(options.json, { environment_uuid: environmentUuid, completion_code: code }, [
      'This installation serves the environment.',
      `At the source, when nothing of it is needed there: docfetch environment delete-moved ${environmentUuid} --code=${code}`,
    ]);
  }

  @Option({
    flags: '--code <code>',
    description: 'The code that "environment confirm-export" has printed.',
    required: true,
  })
  parseCode(value: string): string {
    return text('--code', value);
  }

  @Option({ flags: '--json', description: 'Print JSON.' })
  parseJson(): boolean {
    return true;
  }
}

@SubCommand({
  name: 'discard-import',
  arguments: '<environment>',
  description: 'Delete an imported environment, also one that was imported in part, that is not activated.',
})
export class DiscardImportCommand extends CommandRunner {
  constructor(
    private readonly application: Application,
    private readonly print: Print,
  ) {
    super();
  }

  async run([environment]: string[], options: { json?: boolean }): Promise<void> {
    const environmentUuid = uuid('The environment', environment!);
    const { deleteCopy } = await this.application.useCases();
    await deleteCopy.discardImport(cliActor(), environmentUuid);
    this.print.result(options.json, { environment_uuid: environmentUuid }, ['The import is discarded.']);
  }

  @Option({ flags: '--json', description: 'Print JSON.' })
  parseJson(): boolean {
    return true;
  }
}
