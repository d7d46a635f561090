import { CommandRunner, Option, SubCommand } from 'nest-commander';
import { InvalidCassette, parseCassette } from '../../../integrations/declarative/cassette/cassette';
import { replayProvider } from '../../../integrations/declarative/cassette/replay-provider';
import { Print, UsageError } from '../../shared/print';
import { readProvider, readText } from '../../shared/provider-file';

@SubCommand({
  name: 'replay',
  arguments: '<cassette>',
  description:
    'Run the file of a provider over recorded answers and tell whether it still fits. Needs neither network nor a database.',
})
export class ReplayProviderCommand extends CommandRunner {
  constructor(private readonly print: Print) {
    super();
  }

  async run([file]: string[], options: { file?: string; json?: boolean }): Promise<void> {
    const cassette = this.parse(file!, await readText(file!));
    const compiled = await readProvider(options.file ?? cassette.provider);
    const { provider } = compiled;
    if (provider.id !== cassette.provider)
      throw new UsageError(`${file} is a recording of ${cassette.provider}, not of ${provider.id}.`);
    const difference = await replayProvider(compiled, cassette);
    const { provider: id, host, recorded_at: recordedAt, exchanges } = cassette;
    if (options.json || difference === null) {
      const view = { file, provider: id, host, recorded_at: recordedAt, fits: difference === null, difference };
      const what = `${exchanges.length} requests to ${host}, ${recordedAt.slice(0, 10)}`;
      this.print.result(options.json, view, [`${file}: the file of ${id} fits (${what})`]);
    }
    if (difference !== null) throw new UsageError(`${file}: the file of ${id} does not fit any more. ${difference}.`);
  }

  private parse(file: string, text: string) {
    try {
      return parseCassette(text);
    } catch (error) {
      throw error instanceof InvalidCassette ? new UsageError(`${file} ${error.message}.`) : error;
    }
  }

  @Option({
    flags: '--file <file>',
    description: 'The file of the provider, if it is not the one with the id of the recording.',
  })
  parseFile(value: string): string {
    return value;
  }

  @Option({ flags: '--json', description: 'Print JSON.' })
  parseJson(): boolean {
    return true;
  }
}
