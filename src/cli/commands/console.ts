import type { Command } from 'commander';
import type { FoundConsoleSession } from '../../auth/console-sign-in/find-console-sessions';
import type { ConsoleRole } from '../../platform/http/access/access.decorator';
import { type AsJson, type Cli, cliActor } from '../shared/cli';
import { AS_JSON, group, leaf } from '../shared/commands';
import { constant, duration, uuid } from '../shared/parse';
import { table } from '../shared/table';

const LINK_SECONDS = 15 * 60;
const MAX_LINK_SECONDS = 24 * 3600;
/** More sessions than a support team and its clients have open at once. */
const MAX_LISTED = 10_000;
const ROLES = ['DEVELOPER', 'SUPPORT'] as const satisfies readonly ConsoleRole[];

interface LinkOptions extends AsJson {
  readonly environment: string;
  readonly role: ConsoleRole;
  /** Seconds. */
  readonly expires?: number;
}

interface SessionsOptions extends AsJson {
  readonly environment?: string;
}

export function addConsoleCommands(program: Command, cli: Cli): void {
  const access = group(program, 'console', 'Access to the console.');
  leaf(access, 'link', 'Create a link that opens one session of the console.')
    .requiredOption(
      '--environment <uuid>',
      'The environment; for the support team the one that is shown first.',
      uuid('--environment'),
    )
    .requiredOption(
      '--role <role>',
      'developer: of the client, only this environment; support: all environments and their settings.',
      constant('--role', ROLES),
    )
    .option(
      '--expires <duration>',
      'How long it can be used: 15m (default), at most 24h.',
      duration('--expires', MAX_LINK_SECONDS),
    )
    .option(...AS_JSON)
    .action((options: LinkOptions) => createLink(cli, options));
  leaf(access, 'sessions', 'List the sessions of the console that have not ended, newest first.')
    .option('--environment <uuid>', 'Only sessions of this environment.', uuid('--environment'))
    .option(...AS_JSON)
    .action((options: SessionsOptions) => listSessions(cli, options));
  leaf(access, 'revoke', 'End a session of the console, at once.')
    .argument('<session>', '', uuid('The session'))
    .option(...AS_JSON)
    .action((sessionUuid: string, options: AsJson) => revoke(cli, sessionUuid, options));
}

async function createLink({ application, print }: Cli, options: LinkOptions) {
  const { environment: environmentUuid, role, expires: seconds = LINK_SECONDS } = options;
  const { createConsoleLink } = await application.useCases();
  const { url, expiresAt } = await createConsoleLink.create(cliActor(), { environmentUuid, role, seconds });
  const expires_at = expiresAt.toISOString();
  print.result(options.json, { url, role, environment_uuid: environmentUuid, expires_at }, [
    url,
    `The first person who opens it is signed in as ${role.toLowerCase()}. It works once, until ${expires_at}.`,
  ]);
}

async function listSessions({ application, print }: Cli, { environment, json }: SessionsOptions) {
  const { environments, consoleSessions } = await application.useCases();
  if (environment) await environments.find(environment);
  const environmentUuid = environment ?? null;
  const found = await consoleSessions.find({ environmentUuid, role: null, after: null, limit: MAX_LISTED });
  const lines = table(['UUID', 'ROLE', 'ENVIRONMENT', 'OPENED BY', 'LAST USED', 'EXPIRES'], found.map(row));
  print.result(json, found.map(view), found.length > 0 ? lines : ['No sessions.']);
}

async function revoke({ application, print }: Cli, sessionUuid: string, { json }: AsJson) {
  const { endConsoleSession } = await application.useCases();
  const { revokedAt } = await endConsoleSession.end(cliActor(), sessionUuid, 'console.revoke');
  print.result(json, { session_uuid: sessionUuid, revoked_at: revokedAt!.toISOString() }, [`Ended ${sessionUuid}.`]);
}

const view = ({ uuid: session_uuid, ...session }: FoundConsoleSession) => ({ session_uuid, ...session });

const row = (session: FoundConsoleSession) => [
  session.uuid,
  session.role.toLowerCase(),
  session.environment_uuid,
  session.opened_by,
  session.last_used_at,
  session.expires_at,
];
