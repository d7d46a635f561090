import { Command, CommandRunner, Option, SubCommand } from 'nest-commander';
import type { ClientAuth, Strategy } from '../identities/environment.entity';
import { SetProvisioning } from '../identities/set-provisioning';
import { choice, cliActor, explain, Print, readSecret, uuid } from './print';

interface SetOptions {
  environment: string;
  strategy: Strategy;
  url?: string;
  auth?: ClientAuth;
  secretStdin?: boolean;
  json?: boolean;
}

@SubCommand({ name: 'set', description: 'Choose how the documents of an environment reach the client.' })
export class SetProvisioningCommand extends CommandRunner {
  constructor(
    private readonly setProvisioning: SetProvisioning,
    private readonly print: Print,
  ) {
    super();
  }

  async run(_: string[], options: SetOptions): Promise<void> {
    const environment = await this.setProvisioning.run(cliActor(), options.environment, {
      strategy: options.strategy,
      url: options.url ?? null,
      auth: options.auth ?? 'NONE',
      secret: options.secretStdin ? await readSecret() : null,
    });
    const { uuid, strategy, provisioningUrl, clientAuth } = environment;
    this.print.result(options.json, { environment_uuid: uuid, strategy, url: provisioningUrl, auth: clientAuth }, [
      `${strategy} ${provisioningUrl ?? ''} (authentication: ${clientAuth.toLowerCase()})`,
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
