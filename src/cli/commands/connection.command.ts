import { Command, CommandRunner, Option, SubCommand } from 'nest-commander';
import { CONNECTION_STATUSES, type ConnectionStatus } from '../../identities/connection-status';
import type { Connection } from '../../connections/state/connection.entity';
import { Application } from '../use-cases/application';
import type { UseCases } from '../use-cases/open-use-cases';
import { whole } from '../shared/parse';
import { choice, cliActor, explain, Print, uuid } from '../shared/print';
import { table } from '../shared/table';

interface ListOptions {
  environment: string;
  identity?: string;
  integration?: string;
  status?: ConnectionStatus;
  after?: string;
  limit?: number;
  json?: boolean;
}

/** The API's view without secrets, and the environment. */
const views = async ({ presentConnections }: UseCases, connections: readonly Connection[]) =>
  (await presentConnections(connections)).map((shown, at) => ({
    ...shown,
    environment_uuid: connections[at]!.environmentUuid,
  }));

@SubCommand({ name: 'list', description: 'List the connections of an environment, oldest first.' })
export class ListConnectionsCommand extends CommandRunner {
  constructor(
    private readonly application: Application,
    private readonly print: Print,
  ) {
    super();
  }

  async run(_: string[], options: ListOptions): Promise<void> {
    const useCases = await this.application.useCases();
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
    this.print.result(options.json, shown, found.length > 0 ? lines : ['No connections.']);
  }

  @Option({ flags: '--environment <uuid>', description: 'The environment.', required: true })
  parseEnvironment(value: string): string {
    return uuid('--environment', value);
  }

  @Option({ flags: '--identity <uuid>', description: 'Only those of this identity.' })
  parseIdentity(value: string): string {
    return uuid('--identity', value);
  }

  @Option({ flags: '--integration <id>', description: 'Only those of this integration.' })
  parseIntegration(value: string): string {
    return value;
  }

  @Option({ flags: '--status <status>', description: 'active, pending, invalid_credentials or disabled.' })
  parseStatus(value: string): ConnectionStatus {
    const statuses = CONNECTION_STATUSES.map((status) => status.toLowerCase());
    return choice('status', value, statuses).toUpperCase() as ConnectionStatus;
  }

  @Option({ flags: '--after <uuid>', description: 'Go on behind this connection.' })
  parseAfter(value: string): string {
    return uuid('--after', value);
  }

  @Option({ flags: '--limit <number>', description: 'How many at the most (default 100).' })
  parseLimit(value: string): number {
    return whole('--limit', value, 1, 10_000);
  }

  @Option({ flags: '--json', description: 'Print JSON.' })
  parseJson(): boolean {
    return true;
  }
}

@SubCommand({ name: 'show', arguments: '<connection>', description: 'Show a connection, without its secrets.' })
export class ShowConnectionCommand extends CommandRunner {
  constructor(
    private readonly application: Application,
    private readonly print: Print,
  ) {
    super();
  }

  async run([connection]: string[], options: { json?: boolean }): Promise<void> {
    const connectionUuid = uuid('The connection', connection!);
    const useCases = await this.application.useCases();
    const [shown] = await views(useCases, await useCases.connections.find(connectionUuid));
    const lines = Object.entries(shown!).map(([name, value]) => {
      const text = value === null ? '-' : typeof value === 'object' ? JSON.stringify(value) : String(value);
      return `${name.padEnd(18)}${text}`;
    });
    this.print.result(options.json, shown!, lines);
  }

  @Option({ flags: '--json', description: 'Print JSON.' })
  parseJson(): boolean {
    return true;
  }
}

@SubCommand({
  name: 'fetch',
  arguments: '<connection>',
  description: 'Fetch ahead of the schedule, by the rules of fetch-now; counts as one of its five an hour.',
})
export class FetchConnectionCommand extends CommandRunner {
  constructor(
    private readonly application: Application,
    private readonly print: Print,
  ) {
    super();
  }

  async run([connection]: string[], options: { json?: boolean }): Promise<void> {
    const connectionUuid = uuid('The connection', connection!);
    const { connections, fetchNow } = await this.application.useCases();
    const [found] = await connections.find(connectionUuid);
    const { uuid: fetch } = await fetchNow.queue(found!.uuid, cliActor());
    this.print.result(options.json, { uuid: fetch }, [`Queued fetch ${fetch}.`]);
  }

  @Option({ flags: '--json', description: 'Print JSON.' })
  parseJson(): boolean {
    return true;
  }
}

@Command({
  name: 'connection',
  description: 'Connections of identities.',
  subCommands: [ListConnectionsCommand, ShowConnectionCommand, FetchConnectionCommand],
})
export class ConnectionCommand extends CommandRunner {
  run(given: string[]): Promise<void> {
    return explain(this.command, given);
  }
}
