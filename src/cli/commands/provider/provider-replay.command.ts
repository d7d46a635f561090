import { CommandRunner, Option, SubCommand } from 'nest-commander';
import { Print } from '../../shared/print';
import type { ReplayOptions } from './replay-cassette';

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

  async run([file]: string[], options: ReplayOptions): Promise<void> {
    const { replayCassette } = await import('./replay-cassette.js');
    await replayCassette(this.print, file!, options);
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
