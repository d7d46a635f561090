import { Command, CommandRunner, Option, SubCommand } from 'nest-commander';
import { Application } from '../use-cases/application';
import { cliActor, explain, Print, uuid } from '../shared/print';

@SubCommand({
  name: 'rotate',
  description: 'Wrap all data keys with the first of ENCRYPTION_KEYS. Can be cut short and run again at any time.',
})
export class RotateEncryptionCommand extends CommandRunner {
  constructor(
    private readonly application: Application,
    private readonly print: Print,
  ) {
    super();
  }

  async run(_: string[], options: { json?: boolean }): Promise<void> {
    const progress = (done: number, total: number) => {
      if (!options.json) this.print.line(`${done} of ${total}`);
    };
    // With incomplete keys it rewraps what it can and names the missing one.
    const { rotate } = await this.application.useCases({ missingKeys: true });
    const { keyId, rewrapped } = await rotate.rotate(cliActor(), progress);
    this.print.result(options.json, { key_id: keyId, rewrapped }, [
      `${rewrapped} data keys rewrapped. All data keys use "${keyId}"; other keys can be removed from ENCRYPTION_KEYS.`,
    ]);
  }

  @Option({ flags: '--json', description: 'Print JSON.' })
  parseJson(): boolean {
    return true;
  }
}

interface RotateDataKeysOptions {
  environment?: string;
  json?: boolean;
}

@SubCommand({
  name: 'rotate-data-keys',
  description: 'Replace the data keys of an environment, or of all. The workers encrypt everything with the new ones.',
})
export class RotateDataKeysCommand extends CommandRunner {
  constructor(
    private readonly application: Application,
    private readonly print: Print,
  ) {
    super();
  }

  async run(_: string[], options: RotateDataKeysOptions): Promise<void> {
    const { replaceDataKeys } = await this.application.useCases();
    const { environments, dataKeys } = await replaceDataKeys.request(cliActor(), options.environment ?? null);
    this.print.result(options.json, { environments, data_keys: dataKeys }, [
      `${dataKeys} data keys get a successor, which encrypts in ten minutes. "encryption status" shows how far the workers are.`,
    ]);
  }

  @Option({ flags: '--environment <uuid>', description: 'The environment. Left out: all of them.' })
  parseEnvironment(value: string): string {
    return uuid('--environment', value);
  }

  @Option({ flags: '--json', description: 'Print JSON.' })
  parseJson(): boolean {
    return true;
  }
}

@SubCommand({ name: 'status', description: 'Show how far the replacement of data keys is, by environment.' })
export class EncryptionStatusCommand extends CommandRunner {
  constructor(
    private readonly application: Application,
    private readonly print: Print,
  ) {
    super();
  }

  async run(_: string[], options: { json?: boolean }): Promise<void> {
    const { keyStatus } = await this.application.useCases();
    const rows = (await keyStatus.read()).map((status) => ({
      environment_uuid: status.environmentUuid,
      data_keys: status.dataKeys,
      waiting: status.waiting,
      former: status.former,
      contents_left: status.contentsLeft,
      replaced_at: status.oldestReplacedAt?.toISOString() ?? null,
    }));
    this.print.result(
      options.json,
      rows,
      rows.map(
        (row) =>
          `${row.environment_uuid}: ${row.data_keys} data keys, ${row.waiting} successors waiting, ${row.former} former ones (${row.contents_left} contents left)`,
      ),
    );
  }

  @Option({ flags: '--json', description: 'Print JSON.' })
  parseJson(): boolean {
    return true;
  }
}

@Command({
  name: 'encryption',
  description: 'Master keys and data keys.',
  subCommands: [RotateEncryptionCommand, RotateDataKeysCommand, EncryptionStatusCommand],
})
export class EncryptionCommand extends CommandRunner {
  run(given: string[]): Promise<void> {
    return explain(this.command, given);
  }
}
