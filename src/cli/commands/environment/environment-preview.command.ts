import { Option, SubCommand } from 'nest-commander';
import { Application } from '../../use-cases/application';
import { Print, uuid } from '../../shared/print';
import { ThemeCommand, themeOf, type ThemeOptions } from '../../shared/theme-options';

@SubCommand({
  name: 'preview-theme',
  arguments: '<environment>',
  description: 'Make a link that shows the hosted UI with a theme, without changing the environment.',
})
export class PreviewThemeCommand extends ThemeCommand {
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

  @Option({ flags: '--json', description: 'Print JSON.' })
  parseJson(): boolean {
    return true;
  }
}
