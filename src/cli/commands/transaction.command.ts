import { Command, CommandRunner, Option, SubCommand } from 'nest-commander';
import type { RedeliveryScope } from '../../provisioning/redelivery/redeliver-transactions';
import { PROVISIONING_STATUSES, type ProvisioningStatus } from '../../transactions/record/provisioning-status';
import { Application } from '../use-cases/application';
import { datetime } from '../shared/parse';
import { choice, cliActor, explain, Print, UsageError, uuid } from '../shared/print';

interface RedeliverOptions {
  environment?: string;
  status?: ProvisioningStatus;
  connection?: string;
  createdFrom?: Date;
  createdTo?: Date;
  json?: boolean;
}

@SubCommand({
  name: 'redeliver',
  arguments: '[transaction]',
  description: 'Deliver one document again, or, with --environment and --status, all that match.',
})
export class RedeliverCommand extends CommandRunner {
  constructor(
    private readonly application: Application,
    private readonly print: Print,
  ) {
    super();
  }

  async run([transaction]: string[], { json, ...filter }: RedeliverOptions): Promise<void> {
    if (transaction === undefined) return this.many(filter, json);
    if (Object.keys(filter).length > 0) throw new UsageError('Give either a transaction or options that choose some.');
    const given = uuid('The transaction', transaction);
    const { redeliverOne } = await this.application.useCases();
    const { uuid: transaction_uuid, status } = await redeliverOne.redeliver(cliActor(), given);
    this.print.result(json, { transaction_uuid, status }, [`${transaction_uuid} is ${status} again.`]);
  }

  private async many(options: RedeliverOptions, json: boolean | undefined): Promise<void> {
    const { environment, status, connection, createdFrom, createdTo } = options;
    if (!environment || !status) throw new UsageError('Give a transaction, or --environment and --status.');
    const { environments, connections, redeliverMany } = await this.application.useCases();
    await environments.find(environment);
    const [of] = connection ? await connections.find(connection) : [];
    if (of && of.environmentUuid !== environment) throw new UsageError('The connection is of another environment.');
    const { count, skipped } = await redeliverMany.request(support(environment), {
      status,
      connection_uuid: connection,
      created_from: createdFrom?.toISOString(),
      created_to: createdTo?.toISOString(),
    });
    this.print.result(json, { count, skipped }, [
      `${count} will be delivered again${skipped > 0 ? `; the content of ${skipped} is no longer kept` : ''}.`,
    ]);
  }

  @Option({ flags: '--environment <uuid>', description: 'The environment.' })
  parseEnvironment(value: string): string {
    return uuid('--environment', value);
  }

  @Option({ flags: '--status <status>', description: 'Those that have this status now, for example failed.' })
  parseStatus(value: string): ProvisioningStatus {
    const statuses = PROVISIONING_STATUSES.map((status) => status.toLowerCase());
    return choice('status', value, statuses).toUpperCase() as ProvisioningStatus;
  }

  @Option({ flags: '--connection <uuid>', description: 'Only documents of this connection.' })
  parseConnection(value: string): string {
    return uuid('--connection', value);
  }

  @Option({ flags: '--created-from <datetime>', description: 'Only documents recorded at or after this time.' })
  parseCreatedFrom(value: string): Date {
    return datetime('--created-from', value);
  }

  @Option({ flags: '--created-to <datetime>', description: 'Only documents recorded before this time.' })
  parseCreatedTo(value: string): Date {
    return datetime('--created-to', value);
  }

  @Option({ flags: '--json', description: 'Print JSON.' })
  parseJson(): boolean {
    return true;
  }
}

/** The support team acts for the whole environment, as its key does. */
const support = (environmentUuid: string): RedeliveryScope => ({
  environmentUuid,
  identityUuid: null,
  onlyConnectionUuid: null,
  onlyIntegrationId: null,
  actor: cliActor(),
});

@Command({ name: 'transaction', description: 'Documents and their deliveries.', subCommands: [RedeliverCommand] })
export class TransactionCommand extends CommandRunner {
  run(given: string[]): Promise<void> {
    return explain(this.command, given);
  }
}
