import type { Command } from 'commander';
import { ENVIRONMENT_KINDS, type EnvironmentKind } from '../../../identities/environments/setting-values';
import { FETCH_INTERVAL } from '../../../identities/environments/setting-limits';
import { type AsJson, type Cli, cliActor } from '../../shared/cli';
import { AS_JSON, leaf } from '../../shared/commands';
import { constant, each, origin, secureOrigin, text, whole } from '../../shared/parse';

interface CreateOptions extends AsJson {
  readonly client: string;
  readonly name: string;
  readonly kind: EnvironmentKind;
  readonly returnOrigin?: string[];
  readonly browserOrigin?: string[];
  readonly fetchInterval?: number;
}

export function addCreateCommand(environment: Command, cli: Cli): void {
  leaf(environment, 'create', 'Make an environment with its first API key; the secrets are shown this once.')
    .requiredOption('--client <name>', 'The client application.', text('--client'))
    .requiredOption('--name <name>', 'The name of the environment.', text('--name'))
    .requiredOption(
      '--kind <kind>',
      'live or test; the sandbox exists in test only.',
      constant('--kind', ENVIRONMENT_KINDS),
    )
    .option(
      '--return-origin <url...>',
      'An origin that a return_url may have; can be repeated.',
      each(origin('--return-origin')),
    )
    .option(
      '--browser-origin <url...>',
      'An origin of web pages that may call the API with a UI token; can be repeated.',
      each(secureOrigin('--browser-origin')),
    )
    .option(
      '--fetch-interval <minutes>',
      `Minutes between scheduled fetches (default ${FETCH_INTERVAL.default}, at least ${FETCH_INTERVAL.min}).`,
      whole('--fetch-interval', FETCH_INTERVAL.min, FETCH_INTERVAL.max),
    )
    .option(...AS_JSON)
    .action((options: CreateOptions) => create(cli, options));
}

async function create({ application, print }: Cli, options: CreateOptions) {
  const { createClient } = await application.useCases();
  const { environment, apiKey, signingSecret } = await createClient.create(cliActor(), {
    clientName: options.client,
    name: options.name,
    kind: options.kind,
    returnOrigins: options.returnOrigin ?? [],
    browserOrigins: options.browserOrigin ?? [],
    fetchIntervalMinutes: options.fetchInterval,
  });
  print.result(options.json, { environment_uuid: environment.uuid, api_key: apiKey, signing_secret: signingSecret }, [
    `Environment     ${environment.uuid}`,
    `API key         ${apiKey}`,
    `Signing secret  ${signingSecret}`,
    'The key and the secret are not shown again.',
  ]);
}
