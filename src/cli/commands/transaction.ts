import type { Command } from 'commander';
import type { RedeliveryScope } from '../../provisioning/redelivery/redeliver-transactions';
import { PROVISIONING_STATUSES, type ProvisioningStatus } from '../../transactions/record/provisioning-status';
import { type AsJson, type Cli, cliActor } from '../shared/cli';
import { AS_JSON, group, leaf } from '../shared/commands';
import { constant, datetime, uuid } from '../shared/parse';
import { UsageError } from '../shared/usage-error';

interface RedeliverOptions extends AsJson {
  readonly environment?: string;
  readonly status?: ProvisioningStatus;
  readonly connection?: string;
  readonly createdFrom?: Date;
  readonly createdTo?: Date;
}

export function addTransactionCommands(program: Command, cli: Cli): void {
  const transaction = group(program, 'transaction', 'Documents and their deliveries.');
  leaf(transaction, 'redeliver', 'Deliver one document again, or, with --environment and --status, all that match.')
    .argument('[transaction]', '', uuid('The transaction'))
    .option('--environment <uuid>', 'The environment.', uuid('--environment'))
    .option(
      '--status <status>',
      'Those that have this status now, for example failed.',
      constant('--status', PROVISIONING_STATUSES),
    )
    .option('--connection <uuid>', 'Only documents of this connection.', uuid('--connection'))
    .option('--created-from <datetime>', 'Only documents recorded at or after this time.', datetime('--created-from'))
    .option('--created-to <datetime>', 'Only documents recorded before this time.', datetime('--created-to'))
    .option(...AS_JSON)
    .action((transactionUuid: string | undefined, options: RedeliverOptions) =>
      transactionUuid === undefined ? redeliverMany(cli, options) : redeliverOne(cli, transactionUuid, options),
    );
}

async function redeliverOne({ application, print }: Cli, uuid: string, { json, ...filter }: RedeliverOptions) {
  if (Object.keys(filter).length > 0) throw new UsageError('Give either a transaction or options that choose some.');
  const useCases = await application.useCases();
  const { uuid: transaction_uuid, status } = await useCases.redeliverOne.redeliver(cliActor(), uuid);
  print.result(json, { transaction_uuid, status }, [`${transaction_uuid} is ${status} again.`]);
}

async function redeliverMany({ application, print }: Cli, options: RedeliverOptions) {
  const { environment, status, connection, createdFrom, createdTo } = options;
  if (!environment || !status) throw new UsageError('Give a transaction, or --environment and --status.');
  const useCases = await application.useCases();
  await useCases.environments.find(environment);
  const [of] = connection ? await useCases.connections.find(connection) : [];
  if (of && of.environmentUuid !== environment) throw new UsageError('The connection is of another environment.');
  const { count, skipped } = await useCases.redeliverMany.request(support(environment), {
    status,
    connection_uuid: connection,
    created_from: createdFrom?.toISOString(),
    created_to: createdTo?.toISOString(),
  });
  print.result(options.json, { count, skipped }, [
    `${count} will be delivered again${skipped > 0 ? `; the content of ${skipped} is no longer kept` : ''}.`,
  ]);
}

/** The support team acts for the whole environment, as its key does. */
const support = (environmentUuid: string): RedeliveryScope => ({
  environmentUuid,
  identityUuid: null,
  onlyConnectionUuid: null,
  onlyIntegrationId: null,
  actor: cliActor(),
});
