import type { Command } from 'commander';
import type { AsJson, Cli } from '../../shared/cli';
import { AS_JSON, leaf } from '../../shared/commands';
import { uuid } from '../../shared/parse';
import { addThemeOptions, themeOf, type ThemeOptions } from './theme-options';

interface PreviewOptions extends ThemeOptions, AsJson {}

export function addPreviewThemeCommand(environment: Command, cli: Cli): void {
  const command = leaf(
    environment,
    'preview-theme',
    'Make a link that shows the hosted UI with a theme, without changing the environment.',
  ).argument('<environment>', '', uuid('The environment'));
  addThemeOptions(command)
    .option(...AS_JSON)
    .action((environmentUuid: string, options: PreviewOptions) => preview(cli, environmentUuid, options));
}

async function preview({ application, print }: Cli, environmentUuid: string, options: PreviewOptions) {
  const { previewTheme } = await application.useCases();
  const { url, expiresAt, theme } = await previewTheme.preview(environmentUuid, themeOf(options));
  const expires_at = expiresAt.toISOString();
  print.result(options.json, { url, expires_at, theme }, [
    url,
    `Anybody who has the link can open it until ${expires_at}. Nothing has been changed.`,
  ]);
}
