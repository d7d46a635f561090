import type { Command } from 'commander';
import type { Connection } from '../../connections/state/connection.entity';
import { CONNECTION_STATUSES, type ConnectionStatus } from '../../identities/connection-status';
import { type AsJson, type Cli, cliActor } from '../shared/cli';
import { AS_JSON, group, leaf } from '../shared/commands';
import { constant, uuid, whole } from '../shared/parse';
import { table } from '../shared/table';
import type { UseCases } from '../use-cases/open-use-cases';

interface ListOptions extends AsJson {
  readonly environment: string;
  readonly identity?: string;
  readonly integration?: string;
  readonly status?: ConnectionStatus;
  readonly after?: string;
  readonly limit?: number;
}

export function addConnectionCommands(program: Command, cli: Cli): void {
  const connection = group(program, 'connection', 'Connections of identities.');
  leaf(connection, 'list', 'List the connections of an environment, oldest first.')
    .requiredOption('--environment <uuid>', 'The environment.', uuid('--environment'))
    .option('--identity <uuid>', 'Only those of this identity.', uuid('--identity'))
    .option('--integration <id>', 'Only those of this integration.')
    .option(
      '--status <status>',
      'active, pending, invalid_credentials or disabled.',
      constant('--status', CONNECTION_STATUSES),
    )
    .option('--after <uuid>', 'Go on behind this connection.', uuid('--after'))
    .option('--limit <number>', 'How many at the most (default 100).', whole('--limit', 1, 10_000))
    .option(...AS_JSON)
    .action((options: ListOptions) => list(cli, options));
  leaf(connection, 'show', 'Show a connection, without its secrets.')
    .argument('<connection>', '', uuid('The connection'))
    .option(...AS_JSON)
    .action((connectionUuid: string, options: AsJson) => show(cli, connectionUuid, options));
  leaf(
    connection,
    'fetch',
    'Fetch ahead of the schedule, by the rules of fetch-now; counts as one of its five an hour.',
  )
    .argument('<connection>', '', uuid('The connection'))
    .option(...AS_JSON)
    .action((connectionUuid: string, options: AsJson) => fetchNow(cli, connectionUuid, options));
}

async function list({ application, print }: Cli, options: ListOptions) {
  const useCases = await application.useCases();
  await useCases.environments.find(options.environment);
  const found = await useCases.connections.find({
    environmentUuid: options.environment,
    identityUuid: options.identity ?? null,
    integrationId: options.integration ?? null,
    status: options.status ?? null,
    after: options.after ?? null,
    limit: options.limit ?? 100,
  });
  const lines = table(
    ['CONNECTION', 'STATUS', 'HEALTH', 'INTEGRATION', 'NAME'],
    found.map((it) => [it.uuid, it.status, it.health, it.integrationId, it.name]),
  );
  const shown = options.json ? await views(useCases, found) : [];
  print.result(options.json, shown, found.length > 0 ? lines : ['No connections.']);
}

async function show({ application, print }: Cli, connectionUuid: string, { json }: AsJson) {
  const useCases = await application.useCases();
  const [shown] = await views(useCases, await useCases.connections.find(connectionUuid));
  const lines = Object.entries(shown!).map(([name, value]) => {
    const text = value === null ? '-' : typeof value === 'object' ? JSON.stringify(value) : String(value);
    return `${name.padEnd(18)}${text}`;
  });
  print.result(json, shown!, lines);
}

async function fetchNow({ application, print }: Cli, connectionUuid: string, { json }: AsJson) {
  const useCases = await application.useCases();
  const [found] = await useCases.connections.find(connectionUuid);
  const { uuid: fetch } = await useCases.fetchNow.queue(found!.uuid, cliActor());
  print.result(json, { uuid: fetch }, [`Queued fetch ${fetch}.`]);
}

/** The API's view without secrets, and the environment. */
const views = async ({ presentConnections }: UseCases, connections: readonly Connection[]) =>
  (await presentConnections(connections)).map((shown, at) => ({
    ...shown,
    environment_uuid: connections[at]!.environmentUuid,
  }));
