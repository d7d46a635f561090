import { CommandRunner, Option, SubCommand } from 'nest-commander';
import { Application } from '../shared/application';
import { Print, uuid } from '../shared/print';
import { themeLogoUrl, themeName, themeOf, type ThemeOptions, themePrimaryColor } from '../shared/theme-options';

@SubCommand({
  name: 'preview-theme',
  arguments: '<environment>',
  description: 'Make a link that shows the hosted UI with a theme, without changing the environment.',
})
export class PreviewThemeCommand extends CommandRunner {
  constructor(
    private readonly application: Application,
    private readonly print: Print,
  ) {
    super();
  }

  async run([environment]: string[], options: ThemeOptions & { json?: boolean }): Promise<void> {
    const environmentUuid = uuid('The environment', environment!);
    const { previewTheme } = await this.application.useCases();
    const { url, expiresAt, theme } = await previewTheme.preview(environmentUuid, themeOf(options));
    const expires_at = expiresAt.toISOString();
    this.print.result(options.json, { url, expires_at, theme }, [
      url,
      `Anybody who has the link can open it until ${expires_at}. Nothing has been changed.`,
    ]);
  }

  @Option({ flags: '--theme-name <name>', description: 'What the hosted UI calls the client; empty: nothing.' })
  parseThemeName(value: string): string {
    return themeName(value);
  }

  @Option({ flags: '--theme-logo-url <url>', description: 'The https address of a logo; empty: none.' })
  parseThemeLogoUrl(value: string): string {
    return themeLogoUrl(value);
  }

  @Option({ flags: '--theme-primary-color <color>', description: 'A color like #0055aa; empty: the usual one.' })
  parseThemePrimaryColor(value: string): string {
    return themePrimaryColor(value);
  }

  @Option({ flags: '--json', description: 'Print JSON.' })
  parseJson(): boolean {
    return true;
  }
}
