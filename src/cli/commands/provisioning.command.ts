import { Command, CommandRunner, Option, SubCommand } from 'nest-commander';
import type { ClientAuth, Strategy } from '../../identities/environments/environment.entity';
import { Application } from '../use-cases/application';
import { MIB } from '../shared/environment-view';
import { pushLimit } from '../shared/parse';
import { choice, cliActor, explain, Print, UsageError, uuid } from '../shared/print';
import { readSecret, Terminal } from '../shared/terminal';

interface SetOptions {
  environment: string;
  strategy: Strategy;
  url?: string;
  auth?: ClientAuth;
  secretStdin?: boolean;
  /** Bytes. */
  pushLimit?: number;
  json?: boolean;
}

@SubCommand({ name: 'set', description: 'Choose how the documents of an environment reach the client.' })
export class SetProvisioningCommand extends CommandRunner {
  constructor(
    private readonly application: Application,
    private readonly print: Print,
    private readonly terminal: Terminal,
  ) {
    super();
  }

  async run(_: string[], options: SetOptions): Promise<void> {
    const { strategy: given, auth: kind = 'NONE' } = options;
    if (given === 'PUSH' && options.url === undefined) throw new UsageError('The push strategy needs --url.');
    if (kind !== 'NONE' && !options.secretStdin) {
      throw new UsageError(`--auth ${kind.toLowerCase()} needs the secret on standard input (--secret-stdin).`);
    }
    const { setProvisioning } = await this.application.useCases();
    const environment = await setProvisioning.set(cliActor(), options.environment, {
      strategy: given,
      url: options.url ?? null,
      auth: kind,
      secret: options.secretStdin ? await readSecret(this.terminal) : null,
      ...(options.pushLimit !== undefined && { pushLimitBytes: options.pushLimit }),
    });
    const { uuid, strategy, provisioningUrl: url, clientAuth: auth, pushLimitBytes } = environment;
    const limit = pushLimitBytes / MIB;
    this.print.result(options.json, { environment_uuid: uuid, strategy, url, auth, push_limit_mib: limit }, [
      `${strategy} ${url ?? ''} (authentication: ${auth.toLowerCase()}, documents of up to ${limit} MiB)`,
    ]);
  }

  @Option({ flags: '--environment <uuid>', description: 'The environment.', required: true })
  parseEnvironment(value: string): string {
    return uuid('--environment', value);
  }

  @Option({ flags: '--strategy <strategy>', description: 'push, webhook or polling.', required: true })
  parseStrategy(value: string): Strategy {
    return choice('strategy', value, ['push', 'webhook', 'polling']).toUpperCase() as Strategy;
  }

  @Option({ flags: '--url <url>', description: 'The provisioning URL of the client.' })
  parseUrl(value: string): string {
    return value;
  }

  @Option({ flags: '--auth <auth>', description: 'none, bearer, query or header.' })
  parseAuth(value: string): ClientAuth {
    return choice('auth', value, ['none', 'bearer', 'query', 'header']).toUpperCase() as ClientAuth;
  }

  @Option({ flags: '--secret-stdin', description: 'Read the secret of --auth from standard input.' })
  parseSecretStdin(): boolean {
    return true;
  }

  @Option({
    flags: '--push-limit <MiB>',
    description:
      'Size up to which documents are pushed (1 to 1024 MiB); larger ones are left to be pulled. Left out: as it is (50 at first).',
  })
  parsePushLimit(value: string): number {
    return pushLimit(value);
  }

  @Option({ flags: '--json', description: 'Print JSON.' })
  parseJson(): boolean {
    return true;
  }
}

@Command({
  name: 'provisioning',
  description: 'How documents reach the client.',
  subCommands: [SetProvisioningCommand],
})
export class ProvisioningCommand extends CommandRunner {
  run(given: string[]): Promise<void> {
    return explain(this.command, given);
  }
}
