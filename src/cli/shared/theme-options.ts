import { CommandRunner, Option } from 'nest-commander';
import type { Environment } from '../../identities/environments/environment.entity';
import { COLOR, isLogoUrl } from '../../identities/environments/theme';
import { text } from './parse';
import { UsageError } from './print';

export interface ThemeOptions {
  readonly themeName?: string;
  readonly themeLogoUrl?: string;
  readonly themePrimaryColor?: string;
}

/** A command with the options of a theme. An empty text removes what the theme has. */
export abstract class ThemeCommand extends CommandRunner {
  @Option({ flags: '--theme-name <name>', description: 'What the hosted UI calls the client; empty: nothing.' })
  parseThemeName(value: string): string {
    return value === '' ? value : text('--theme-name', value);
  }

  @Option({ flags: '--theme-logo-url <url>', description: 'The https address of a logo; empty: none.' })
  parseThemeLogoUrl(value: string): string {
    if (value !== '' && !isLogoUrl(value)) {
      throw new UsageError(`--theme-logo-url must be an https address, not "${value}".`);
    }
    return value;
  }

  @Option({ flags: '--theme-primary-color <color>', description: 'A color like #0055aa; empty: the usual one.' })
  parseThemePrimaryColor(value: string): string {
    if (value !== '' && !COLOR.test(value)) {
      throw new UsageError(`--theme-primary-color must be a color like #0055aa, not "${value}".`);
    }
    return value.toLowerCase();
  }
}

/** The given members of a theme. */
export const themeOf = (options: ThemeOptions): Environment['theme'] => ({
  ...(options.themeName !== undefined && { name: options.themeName }),
  ...(options.themeLogoUrl !== undefined && { logo_url: options.themeLogoUrl }),
  ...(options.themePrimaryColor !== undefined && { primary_color: options.themePrimaryColor }),
});
