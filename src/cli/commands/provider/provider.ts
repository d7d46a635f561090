import type { Command } from 'commander';
import type { AsJson, Cli } from '../../shared/cli';
import { AS_JSON, group, leaf } from '../../shared/commands';
import { whole } from '../../shared/parse';
import { UsageError } from '../../shared/usage-error';
import type { RecordOptions } from './record-cassette';
import type { ReplayOptions } from './replay-cassette';

/** Each loads the language of provider files only when it runs. */
export function addProviderCommands(program: Command, cli: Cli): void {
  const provider = group(program, 'provider', 'Files of providers.');
  leaf(provider, 'check', 'Check files of providers. Needs neither settings nor a database.')
    .argument('<files...>')
    .option(...AS_JSON)
    .action((files: string[], options: AsJson) => check(cli, files, options));
  leaf(provider, 'record', 'Record what a provider answers to its file, with pseudonyms. Needs no database.')
    .argument('<provider>')
    .option('--credentials-stdin', 'Read the credentials from standard input: a JSON object.')
    .option(
      '--documents <number>',
      'How many documents of each stream to list at the most (default 5).',
      whole('--documents', 1, 100),
    )
    .option('--downloads <number>', 'How many of them to download (default 2).', whole('--downloads', 0, 100))
    .option('--out <file>', 'The file to write (default <provider>.cassette.json).')
    .option(...AS_JSON)
    .action(async (name: string, options: RecordOptions) => {
      const { RecordCassette } = await import('./record-cassette.js');
      await new RecordCassette(cli.print, cli.terminal).record(name, options);
    });
  leaf(
    provider,
    'replay',
    'Run the file of a provider over recorded answers and tell whether it still fits. Needs neither network nor a database.',
  )
    .argument('<cassette>')
    .option('--file <file>', 'The file of the provider, if it is not the one with the id of the recording.')
    .option(...AS_JSON)
    .action(async (file: string, options: ReplayOptions) => {
      const { replayCassette } = await import('./replay-cassette.js');
      await replayCassette(cli.print, file, options);
    });
}

async function check({ print }: Cli, files: readonly string[], { json }: AsJson) {
  const { checkProvider } = await import('./provider-file.js');
  const checked: { file: string; errors: readonly string[] }[] = [];
  for (const file of files) checked.push({ file, errors: await checkProvider(file) });
  const lines = checked.flatMap(({ file, errors }) => (errors.length > 0 ? errors : [`${file}: no errors`]));
  print.result(json, { files: checked }, lines);
  const invalid = checked.filter(({ errors }) => errors.length > 0);
  if (invalid.length > 0) throw new UsageError(`${invalid.length} of ${files.length} files have errors.`);
}
