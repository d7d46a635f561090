import type { Command } from 'commander';
import { CLIENT_AUTHS, type ClientAuth, STRATEGIES, type Strategy } from '../../identities/environments/setting-values';
import { type AsJson, type Cli, cliActor } from '../shared/cli';
import { AS_JSON, group, leaf } from '../shared/commands';
import { MIB } from '../shared/environment-view';
import { constant, pushLimit, uuid } from '../shared/parse';
import { readSecret } from '../shared/terminal';
import { UsageError } from '../shared/usage-error';

interface SetOptions extends AsJson {
  readonly environment: string;
  readonly strategy: Strategy;
  readonly url?: string;
  readonly auth?: ClientAuth;
  readonly secretStdin?: boolean;
  /** Bytes. */
  readonly pushLimit?: number;
}

export function addProvisioningCommands(program: Command, cli: Cli): void {
  const provisioning = group(program, 'provisioning', 'How documents reach the client.');
  leaf(provisioning, 'set', 'Choose how the documents of an environment reach the client.')
    .requiredOption('--environment <uuid>', 'The environment.', uuid('--environment'))
    .requiredOption('--strategy <strategy>', 'push, webhook or polling.', constant('--strategy', STRATEGIES))
    .option('--url <url>', 'The provisioning URL of the client.')
    .option('--auth <auth>', 'none, bearer, query or header.', constant('--auth', CLIENT_AUTHS))
    .option('--secret-stdin', 'Read the secret of --auth from standard input.')
    .option(
      '--push-limit <MiB>',
      'Size up to which documents are pushed (1 to 1024 MiB); larger ones are left to be pulled. Left out: as it is (50 at first).',
      pushLimit,
    )
    .option(...AS_JSON)
    .action((options: SetOptions) => set(cli, options));
}

async function set({ application, print, terminal }: Cli, options: SetOptions) {
  const { strategy: given, auth: kind = 'NONE' } = options;
  if (given === 'PUSH' && options.url === undefined) throw new UsageError('The push strategy needs --url.');
  if (kind !== 'NONE' && !options.secretStdin) {
    throw new UsageError(`--auth ${kind.toLowerCase()} needs the secret on standard input (--secret-stdin).`);
  }
  const { setProvisioning } = await application.useCases();
  const environment = await setProvisioning.set(cliActor(), options.environment, {
    strategy: given,
    url: options.url ?? null,
    auth: kind,
    secret: options.secretStdin ? await readSecret(terminal) : null,
    ...(options.pushLimit !== undefined && { pushLimitBytes: options.pushLimit }),
  });
  const { uuid: environment_uuid, strategy, provisioningUrl: url, clientAuth: auth, pushLimitBytes } = environment;
  const limit = pushLimitBytes / MIB;
  print.result(options.json, { environment_uuid, strategy, url, auth, push_limit_mib: limit }, [
    `${strategy} ${url ?? ''} (authentication: ${auth.toLowerCase()}, documents of up to ${limit} MiB)`,
  ]);
}
