import { Command, CommandRunner, Option, SubCommand } from 'nest-commander';
import type { FoundConsoleSession } from '../../auth/console-sign-in/find-console-sessions';
import type { ConsoleRole } from '../../platform/http/access/access.decorator';
import { Application } from '../use-cases/application';
import { duration } from '../shared/parse';
import { choice, cliActor, explain, Print, uuid } from '../shared/print';
import { table } from '../shared/table';

const LINK_SECONDS = 15 * 60;
const MAX_LINK_SECONDS = 24 * 3600;
/** More sessions than a support team and its clients have open at once. */
const MAX_LISTED = 10_000;

const view = ({ uuid, ...session }: FoundConsoleSession) => ({ session_uuid: uuid, ...session });

const row = ({ uuid, role, environment_uuid, opened_by, last_used_at, expires_at }: FoundConsoleSession) => [
  uuid,
  role.toLowerCase(),
  environment_uuid,
  opened_by,
  last_used_at,
  expires_at,
];

@SubCommand({ name: 'link', description: 'Create a link that opens one session of the console.' })
export class ConsoleLinkCommand extends CommandRunner {
  constructor(
    private readonly application: Application,
    private readonly print: Print,
  ) {
    super();
  }

  async run(
    _: string[],
    options: { environment: string; role: ConsoleRole; expires?: number; json?: boolean },
  ): Promise<void> {
    const { environment: environmentUuid, role, expires: seconds = LINK_SECONDS } = options;
    const { createConsoleLink } = await this.application.useCases();
    const { url, expiresAt } = await createConsoleLink.create(cliActor(), { environmentUuid, role, seconds });
    const expires_at = expiresAt.toISOString();
    this.print.result(options.json, { url, role, environment_uuid: environmentUuid, expires_at }, [
      url,
      `The first person who opens it is signed in as ${role.toLowerCase()}. It works once, until ${expires_at}.`,
    ]);
  }

  @Option({
    flags: '--environment <uuid>',
    description: 'The environment; for the support team the one that is shown first.',
    required: true,
  })
  parseEnvironment(value: string): string {
    return uuid('--environment', value);
  }

  @Option({
    flags: '--role <role>',
    description: 'developer: of the client, only this environment; support: all environments and their settings.',
    required: true,
  })
  parseRole(value: string): string {
    return choice('role', value, ['developer', 'support']).toUpperCase();
  }

  @Option({ flags: '--expires <duration>', description: 'How long it can be used: 15m (default), at most 24h.' })
  parseExpires(value: string): number {
    return duration('--expires', value, MAX_LINK_SECONDS);
  }

  @Option({ flags: '--json', description: 'Print JSON.' })
  parseJson(): boolean {
    return true;
  }
}

@SubCommand({ name: 'sessions', description: 'List the sessions of the console that have not ended, newest first.' })
export class ConsoleSessionsCommand extends CommandRunner {
  constructor(
    private readonly application: Application,
    private readonly print: Print,
  ) {
    super();
  }

  async run(_: string[], options: { environment?: string; json?: boolean }): Promise<void> {
    const { environments, consoleSessions } = await this.application.useCases();
    if (options.environment) await environments.find(options.environment);
    const environmentUuid = options.environment ?? null;
    const found = await consoleSessions.find({ environmentUuid, role: null, after: null, limit: MAX_LISTED });
    const lines = table(['UUID', 'ROLE', 'ENVIRONMENT', 'OPENED BY', 'LAST USED', 'EXPIRES'], found.map(row));
    this.print.result(options.json, found.map(view), found.length > 0 ? lines : ['No sessions.']);
  }

  @Option({ flags: '--environment <uuid>', description: 'Only sessions of this environment.' })
  parseEnvironment(value: string): string {
    return uuid('--environment', value);
  }

  @Option({ flags: '--json', description: 'Print JSON.' })
  parseJson(): boolean {
    return true;
  }
}

@SubCommand({ name: 'revoke', arguments: '<session>', description: 'End a session of the console, at once.' })
export class RevokeConsoleSessionCommand extends CommandRunner {
  constructor(
    private readonly application: Application,
    private readonly print: Print,
  ) {
    super();
  }

  async run([session]: string[], options: { json?: boolean }): Promise<void> {
    const sessionUuid = uuid('The session', session!);
    const { endConsoleSession } = await this.application.useCases();
    const { revokedAt } = await endConsoleSession.end(cliActor(), sessionUuid, 'console.revoke');
    this.print.result(options.json, { session_uuid: sessionUuid, revoked_at: revokedAt!.toISOString() }, [
      `Ended ${sessionUuid}.`,
    ]);
  }

  @Option({ flags: '--json', description: 'Print JSON.' })
  parseJson(): boolean {
    return true;
  }
}

@Command({
  name: 'console',
  description: 'Access to the console.',
  subCommands: [ConsoleLinkCommand, ConsoleSessionsCommand, RevokeConsoleSessionCommand],
})
export class ConsoleCommand extends CommandRunner {
  run(given: string[]): Promise<void> {
    return explain(this.command, given);
  }
}
