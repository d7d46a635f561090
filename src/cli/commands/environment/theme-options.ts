import type { Command } from 'commander';
import type { Environment } from '../../../identities/environments/environment.entity';
import { COLOR, isLogoUrl } from '../../../identities/environments/theme';
import { text } from '../../shared/parse';
import { UsageError } from '../../shared/usage-error';

export interface ThemeOptions {
  readonly themeName?: string;
  readonly themeLogoUrl?: string;
  readonly themePrimaryColor?: string;
}

/** The options of a theme. An empty text removes what the theme has. */
export const addThemeOptions = (command: Command): Command =>
  command
    .option(
      '--theme-name <name>',
      'What the hosted UI calls the client; empty: nothing.',
      orEmpty(text('--theme-name')),
    )
    .option('--theme-logo-url <url>', 'The https address of a logo; empty: none.', orEmpty(logoUrl))
    .option('--theme-primary-color <color>', 'A color like #0055aa; empty: the usual one.', orEmpty(color));

/** The given members of a theme. */
export const themeOf = (options: ThemeOptions): Environment['theme'] => ({
  ...(options.themeName !== undefined && { name: options.themeName }),
  ...(options.themeLogoUrl !== undefined && { logo_url: options.themeLogoUrl }),
  ...(options.themePrimaryColor !== undefined && { primary_color: options.themePrimaryColor }),
});

const orEmpty =
  (parse: (value: string) => string) =>
  (value: string): string =>
    value === '' ? value : parse(value);

function logoUrl(value: string): string {
  if (!isLogoUrl(value)) throw new UsageError(`--theme-logo-url must be an https address, not "${value}".`);
  return value;
}

function color(value: string): string {
  if (!COLOR.test(value)) {
    throw new UsageError(`--theme-primary-color must be a color like #0055aa, not "${value}".`);
  }
  return value.toLowerCase();
}
