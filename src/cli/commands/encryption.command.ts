import { Command, CommandRunner, Option, SubCommand } from 'nest-commander';
import { Application } from '../shared/application';
import { cliActor, explain, Print } from '../shared/print';

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

@Command({ name: 'encryption', description: 'Master keys.', subCommands: [RotateEncryptionCommand] })
export class EncryptionCommand extends CommandRunner {
  run(given: string[]): Promise<void> {
    return explain(this.command, given);
  }
}
