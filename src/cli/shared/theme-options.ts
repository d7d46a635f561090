import type { Environment } from '../../identities/environments/environment.entity';
import { text } from './parse';
import { UsageError } from './print';

export interface ThemeOptions {
  readonly themeName?: string;
  readonly themeLogoUrl?: string;
  readonly themePrimaryColor?: string;
}

/** An empty text removes the name. @throws UsageError */
export const themeName = (value: string): string => (value === '' ? value : text('--theme-name', value));

/** An empty text removes the logo. @throws UsageError */
export function themeLogoUrl(value: string): string {
  if (value !== '' && !(URL.canParse(value) && new URL(value).protocol === 'https:')) {
    throw new UsageError(`--theme-logo-url must be an https address, not "${value}".`);
  }
  return value;
}

/** An empty text removes the color. @throws UsageError */
export function themePrimaryColor(value: string): string {
  if (value !== '' && !/^#[0-9a-f]{6}$/i.test(value)) {
    throw new UsageError(`--theme-primary-color must be a color like #0055aa, not "${value}".`);
  }
  return value.toLowerCase();
}

/** The given members of a theme. */
export const themeOf = (options: ThemeOptions): Environment['theme'] => ({
  ...(options.themeName !== undefined && { name: options.themeName }),
  ...(options.themeLogoUrl !== undefined && { logo_url: options.themeLogoUrl }),
  ...(options.themePrimaryColor !== undefined && { primary_color: options.themePrimaryColor }),
});
