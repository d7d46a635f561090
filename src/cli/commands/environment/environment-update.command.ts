import { Option, SubCommand } from 'nest-commander';
import type { RetentionClass } from '../../../platform/history/retention-class';
import { FETCH_INTERVAL } from '../../../identities/environments/setting-limits';
import { Application } from '../../use-cases/application';
import { changeOf, type EnvironmentUpdateOptions } from '../../shared/environment-change';
import { environmentLines, environmentView } from '../../shared/environment-view';
import { origin, pushLimit, secureOrigin, text, whole } from '../../shared/parse';
import { ThemeCommand } from '../../shared/theme-options';
import { choice, cliActor, Print, uuid } from '../../shared/print';

@SubCommand({
  name: 'update',
  arguments: '<environment>',
  description: 'Change settings of an environment; what is left out stays as it is.',
})
export class UpdateEnvironmentCommand extends ThemeCommand {
  constructor(
    private readonly application: Application,
    private readonly print: Print,
  ) {
    super();
  }

  async run([environment]: string[], options: EnvironmentUpdateOptions): Promise<void> {
    const environmentUuid = uuid('The environment', environment!);
    const change = changeOf(options);
    const { updateEnvironment, formerSecretsEnds } = await this.application.useCases();
    const updated = await updateEnvironment.update(cliActor(), environmentUuid, change);
    const ends = await formerSecretsEnds.read([updated]);
    const view = environmentView(updated, ends.get(environmentUuid) ?? null);
    this.print.result(options.json, view, environmentLines(view));
  }

  @Option({ flags: '--name <name>', description: 'The name of the environment.' })
  parseName(value: string): string {
    return text('--name', value);
  }

  @Option({ flags: '--fetch-interval <minutes>', description: 'Minutes between scheduled fetches, at least 5.' })
  parseFetchInterval(value: string): number {
    return whole('--fetch-interval', value, FETCH_INTERVAL.min, FETCH_INTERVAL.max);
  }

  @Option({
    flags: '--return-origin <url...>',
    description: 'An origin that a return_url may have; can be repeated. Together they replace the former ones.',
  })
  parseReturnOrigin(value: string, previous: string[] = []): string[] {
    return [...previous, origin('--return-origin', value)];
  }

  @Option({ flags: '--no-return-origins', description: 'Allow no return_url any more.' })
  parseReturnOrigins(): boolean {
    return false;
  }

  @Option({
    flags: '--embedding-origin <url...>',
    description:
      'An origin of pages that may show the hosted UI in a frame; can be repeated. Together they replace the former ones.',
  })
  parseEmbeddingOrigin(value: string, previous: string[] = []): string[] {
    return [...previous, secureOrigin('--embedding-origin', value)];
  }

  @Option({ flags: '--no-embedding-origins', description: 'Let the hosted UI be shown in no frame any more.' })
  parseEmbeddingOrigins(): boolean {
    return false;
  }

  @Option({
    flags: '--browser-origin <url...>',
    description:
      'An origin of web pages that may call the API with a UI token; can be repeated. Together they replace the former ones.',
  })
  parseBrowserOrigin(value: string, previous: string[] = []): string[] {
    return [...previous, secureOrigin('--browser-origin', value)];
  }

  @Option({ flags: '--no-browser-origins', description: 'Let no web page call the API any more.' })
  parseBrowserOrigins(): boolean {
    return false;
  }

  @Option({ flags: '--retention-days <days>', description: 'Days that content is kept (0 to 3650).' })
  parseRetentionDays(value: string): number {
    return whole('--retention-days', value, 0, 3650);
  }

  @Option({
    flags: '--retention-delivered-days <days>',
    description: 'Days that content is kept after delivery or acknowledgement (0 to 3650).',
  })
  parseRetentionDeliveredDays(value: string): number {
    return whole('--retention-delivered-days', value, 0, 3650);
  }

  @Option({
    flags: '--retention-class <class>',
    description: 'How long the history is kept from now on: short (30 days), standard (90) or long (400).',
  })
  parseRetentionClass(value: string): RetentionClass {
    return choice('retention-class', value, ['short', 'standard', 'long']).toUpperCase() as RetentionClass;
  }

  @Option({
    flags: '--mail-policy <policy>',
    description:
      'Mails to accept by their authentication: record (all), dmarc or require (docs/operate/operations.md).',
  })
  parseMailPolicy(value: string): string {
    return choice('mail-policy', value, ['record', 'dmarc', 'require']).toUpperCase();
  }

  @Option({
    flags: '--push-limit <MiB>',
    description: 'Size up to which documents are pushed (1 to 1024 MiB); larger ones are left to be pulled.',
  })
  parsePushLimit(value: string): number {
    return pushLimit(value);
  }

  @Option({
    flags: '--text-extraction <on|off>',
    description: 'Whether metadata are read from the text of PDFs that are fetched from now on.',
  })
  parseTextExtraction(value: string): boolean {
    return choice('text-extraction', value, ['on', 'off']) === 'on';
  }

  @Option({
    flags: '--hold-duplicates <on|off>',
    description: 'Whether copies of an invoice that are fetched from now on wait to be pulled instead of being pushed.',
  })
  parseHoldDuplicates(value: string): boolean {
    return choice('hold-duplicates', value, ['on', 'off']) === 'on';
  }

  @Option({
    flags: '--expected-documents <on|off>',
    description: 'Whether the client is notified of missing monthly invoices.',
  })
  parseExpectedDocuments(value: string): boolean {
    return choice('expected-documents', value, ['on', 'off']) === 'on';
  }

  @Option({
    flags: '--console-content <on|off>',
    description:
      'Whether the content of documents may be opened in the console; each time is recorded in the audit log.',
  })
  parseConsoleContent(value: string): boolean {
    return choice('console-content', value, ['on', 'off']) === 'on';
  }

  @Option({ flags: '--json', description: 'Print JSON.' })
  parseJson(): boolean {
    return true;
  }
}
