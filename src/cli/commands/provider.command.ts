import { Command, CommandRunner, Option, SubCommand } from 'nest-commander';
import { declareIntegration } from '../../integrations/declarative/declare-integration';
import { isOfBuild } from '../../integrations/declarative/load-providers';
import { explain, Print, UsageError } from '../shared/print';
import { readText } from '../shared/provider-file';
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
    const checked: { file: string; faults: readonly string[] }[] = [];
    for (const file of files) {
      const { faults } = declareIntegration(file, await readText(file), { isOfBuild: isOfBuild(file) });
      checked.push({ file, faults });
    }
    const lines = checked.flatMap(({ file, faults }) => (faults.length > 0 ? faults : [`${file}: no faults`]));
    this.print.result(options.json, { files: checked }, lines);
    const faulty = checked.filter(({ faults }) => faults.length > 0);
    if (faulty.length > 0) throw new UsageError(`${faulty.length} of ${files.length} files have faults.`);
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
