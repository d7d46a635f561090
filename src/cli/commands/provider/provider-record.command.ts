import { CommandRunner, Option, SubCommand } from 'nest-commander';
import { whole } from '../../shared/parse';
import { Print } from '../../shared/print';
import { Terminal } from '../../shared/terminal';
import type { RecordOptions } from './record-cassette';

@SubCommand({
  name: 'record',
  arguments: '<provider>',
  description: 'Record what a provider answers to its file, with pseudonyms. Needs no database.',
})
export class RecordProviderCommand extends CommandRunner {
  constructor(
    private readonly print: Print,
    private readonly terminal: Terminal,
  ) {
    super();
  }

  async run([name]: string[], options: RecordOptions): Promise<void> {
    const { RecordCassette } = await import('./record-cassette.js');
    await new RecordCassette(this.print, this.terminal).record(name!, options);
  }

  @Option({ flags: '--credentials-stdin', description: 'Read the credentials from standard input: a JSON object.' })
  parseCredentialsStdin(): boolean {
    return true;
  }

  @Option({
    flags: '--documents <number>',
    description: 'How many documents of each stream to list at the most (default 5).',
  })
  parseDocuments(value: string): number {
    return whole('--documents', value, 1, 100);
  }

  @Option({ flags: '--downloads <number>', description: 'How many of them to download (default 2).' })
  parseDownloads(value: string): number {
    return whole('--downloads', value, 0, 100);
  }

  @Option({ flags: '--out <file>', description: 'The file to write (default <provider>.cassette.json).' })
  parseOut(value: string): string {
    return value;
  }

  @Option({ flags: '--json', description: 'Print JSON.' })
  parseJson(): boolean {
    return true;
  }
}
