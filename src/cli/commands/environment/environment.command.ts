import { Command, CommandRunner, Option, SubCommand } from 'nest-commander';
import type { EnvironmentKind } from '../../../identities/environments/environment.entity';
import { FETCH_INTERVAL } from '../../../identities/environments/setting-limits';
import { Application } from '../../use-cases/application';
import {
  CancelExportCommand,
  ConfirmExportCommand,
  DeleteMovedCommand,
  ExportEnvironmentCommand,
} from './environment-export.command';
import {
  ActivateEnvironmentCommand,
  DiscardImportCommand,
  ImportEnvironmentCommand,
  TransferKeyCommand,
} from './environment-import.command';
import { ListEnvironmentsCommand, ShowEnvironmentCommand } from './environment-find.command';
import { PreviewThemeCommand } from './environment-preview.command';
import { RotateSecretCommand } from './environment-rotate-secret.command';
import { UpdateEnvironmentCommand } from './environment-update.command';
import { origin, secureOrigin, text, whole } from '../../shared/parse';
import { choice, cliActor, explain, Print } from '../../shared/print';

interface CreateOptions {
  client: string;
  name: string;
  kind: EnvironmentKind;
  returnOrigin?: string[];
  browserOrigin?: string[];
  fetchInterval?: number;
  json?: boolean;
}

@SubCommand({
  name: 'create',
  description: 'Make an environment with its first API key; the secrets are shown this once.',
})
export class CreateEnvironmentCommand extends CommandRunner {
  constructor(
    private readonly application: Application,
    private readonly print: Print,
  ) {
    super();
  }

  async run(_: string[], options: CreateOptions): Promise<void> {
    const actor = cliActor();
    const { createClient } = await this.application.useCases();
    const { environment, apiKey, signingSecret } = await createClient.create(actor, {
      clientName: options.client,
      name: options.name,
      kind: options.kind,
      returnOrigins: options.returnOrigin ?? [],
      browserOrigins: options.browserOrigin ?? [],
      fetchIntervalMinutes: options.fetchInterval,
    });
    this.print.result(
      options.json,
      { environment_uuid: environment.uuid, api_key: apiKey, signing_secret: signingSecret },
      [
        `Environment     ${environment.uuid}`,
        `API key         ${apiKey}`,
        `Signing secret  ${signingSecret}`,
        'The key and the secret are not shown again.',
      ],
    );
  }

  @Option({ flags: '--client <name>', description: 'The client application.', required: true })
  parseClient(value: string): string {
    return text('--client', value);
  }

  @Option({ flags: '--name <name>', description: 'The name of the environment.', required: true })
  parseName(value: string): string {
    return text('--name', value);
  }

  @Option({ flags: '--kind <kind>', description: 'live or test; the sandbox exists in test only.', required: true })
  parseKind(value: string): EnvironmentKind {
    return choice('kind', value, ['live', 'test']).toUpperCase() as EnvironmentKind;
  }

  @Option({ flags: '--return-origin <url...>', description: 'An origin that a return_url may have; can be repeated.' })
  parseReturnOrigin(value: string, previous: string[] = []): string[] {
    return [...previous, origin('--return-origin', value)];
  }

  @Option({
    flags: '--browser-origin <url...>',
    description: 'An origin of web pages that may call the API with a UI token; can be repeated.',
  })
  parseBrowserOrigin(value: string, previous: string[] = []): string[] {
    return [...previous, secureOrigin('--browser-origin', value)];
  }

  @Option({
    flags: '--fetch-interval <minutes>',
    description: `Minutes between scheduled fetches (default ${FETCH_INTERVAL.default}, at least ${FETCH_INTERVAL.min}).`,
  })
  parseFetchInterval(value: string): number {
    return whole('--fetch-interval', value, FETCH_INTERVAL.min, FETCH_INTERVAL.max);
  }

  @Option({ flags: '--json', description: 'Print JSON.' })
  parseJson(): boolean {
    return true;
  }
}

@Command({
  name: 'environment',
  description: 'Environments of client applications.',
  subCommands: [
    CreateEnvironmentCommand,
    ListEnvironmentsCommand,
    ShowEnvironmentCommand,
    UpdateEnvironmentCommand,
    PreviewThemeCommand,
    RotateSecretCommand,
    TransferKeyCommand,
    ExportEnvironmentCommand,
    ImportEnvironmentCommand,
    ConfirmExportCommand,
    ActivateEnvironmentCommand,
    DeleteMovedCommand,
    CancelExportCommand,
    DiscardImportCommand,
  ],
})
export class EnvironmentCommand extends CommandRunner {
  run(given: string[]): Promise<void> {
    return explain(this.command, given);
  }
}
