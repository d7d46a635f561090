import { Command, CommandRunner, Option, SubCommand } from 'nest-commander';
import { explain, Print, UsageError } from '../../shared/print';
import { RecordProviderCommand } from './provider-record.command';
import { ReplayProviderCommand } from './provider-replay.command';

@SubCommand({
  name: 'check',
  arguments: '<files...>',
  description: 'Check files of providers. Needs neither settings nor a database.',
})
export class CheckProviderCommand extends CommandRunner {
  constructor(private readonly print: Print) {
    super();
  }

  async run(files: string[], options: { json?: boolean }): Promise<void> {
    const { checkProvider } = await import('../../shared/provider-file.js');
    const checked: { file: string; errors: readonly string[] }[] = [];
    for (const file of files) checked.push({ file, errors: await checkProvider(file) });
    const lines = checked.flatMap(({ file, errors }) => (errors.length > 0 ? errors : [`${file}: no errors`]));
    this.print.result(options.json, { files: checked }, lines);
    const invalid = checked.filter(({ errors }) => errors.length > 0);
    if (invalid.length > 0) throw new UsageError(`${invalid.length} of ${files.length} files have errors.`);
  }

  @Option({ flags: '--json', description: 'Print JSON.' })
  parseJson(): boolean {
    return true;
  }
}

@Command({
  name: 'provider',
  description: 'Files of providers.',
  subCommands: [CheckProviderCommand, RecordProviderCommand, ReplayProviderCommand],
})
export class ProviderCommand extends CommandRunner {
  run(given: string[]): Promise<void> {
    return explain(this.command, given);
  }
}
