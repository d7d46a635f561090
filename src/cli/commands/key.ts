import type { Command } from 'commander';
import type { ApiKey } from '../../auth/keys/api-key.entity';
import { KEY_SCOPES, type KeyScope } from '../../platform/http/access/key-scope';
import { type AsJson, type Cli, cliActor } from '../shared/cli';
import { AS_JSON, group, leaf } from '../shared/commands';
import { datetime, each, ipRange, oneOf, uuid } from '../shared/parse';
import { table } from '../shared/table';

interface IssueOptions extends AsJson {
  readonly environment: string;
  readonly expires?: Date;
  readonly scope?: KeyScope[];
  readonly allowedIp?: string[];
}

interface ListOptions extends AsJson {
  readonly environment: string;
}

export function addKeyCommands(program: Command, cli: Cli): void {
  const key = group(program, 'key', 'API keys.');
  leaf(key, 'issue', 'Issue another key for an environment; it is shown this once.')
    .requiredOption('--environment <uuid>', 'The environment.', uuid('--environment'))
    .option('--expires <datetime>', 'When it stops working (RFC 3339).', datetime('--expires'))
    .option(
      '--scope <scope>',
      `What it may be used for: ${KEY_SCOPES.join(', ')}; repeatable. Default: everything.`,
      each(oneOf('--scope', KEY_SCOPES)),
    )
    .option(
      '--allowed-ip <network>',
      'An address or network (CIDR) from which it may be used; repeatable. Default: all.',
      each(ipRange('--allowed-ip')),
    )
    .option(...AS_JSON)
    .action((options: IssueOptions) => issue(cli, options));
  leaf(key, 'list', 'List the keys of an environment.')
    .requiredOption('--environment <uuid>', 'The environment.', uuid('--environment'))
    .option(...AS_JSON)
    .action((options: ListOptions) => list(cli, options));
  leaf(key, 'revoke', 'Revoke a key, at once.')
    .argument('<key>', '', uuid('The key'))
    .option(...AS_JSON)
    .action((keyUuid: string, options: AsJson) => revoke(cli, keyUuid, options));
}

async function issue({ application, print }: Cli, { environment, expires, scope, allowedIp, json }: IssueOptions) {
  const { keys } = await application.useCases();
  const limits = { scopes: scope, allowedIps: allowedIp };
  const { key, record } = await keys.issue(cliActor(), environment, expires ?? null, limits);
  print.result(json, { ...view(record), api_key: key }, [
    `Key      ${record.uuid}`,
    `API key  ${key}`,
    'The key is not shown again.',
  ]);
}

async function list({ application, print }: Cli, { environment, json }: ListOptions) {
  const { keys } = await application.useCases();
  const found = await keys.list(environment);
  const lines = table(['UUID', 'KEY', 'SCOPES', 'ADDRESSES', 'STATE', 'LAST USED'], found.map(row));
  print.result(json, found.map(view), found.length > 0 ? lines : ['No keys.']);
}

async function revoke({ application, print }: Cli, keyUuid: string, { json }: AsJson) {
  const { keys } = await application.useCases();
  const record = await keys.revoke(cliActor(), keyUuid);
  print.result(json, view(record), [`Revoked ${record.uuid}.`]);
}

const view = (key: ApiKey) => ({
  uuid: key.uuid,
  key: `${key.prefix}…${key.lastFour}`,
  scopes: key.scopes ?? KEY_SCOPES,
  allowed_ips: key.allowedIps ?? [],
  created_at: key.createdAt.toISOString(),
  last_used_at: key.lastUsedAt?.toISOString() ?? null,
  expires_at: key.expiresAt?.toISOString() ?? null,
  revoked_at: key.revokedAt?.toISOString() ?? null,
});

const row = (apiKey: ApiKey): string[] => {
  const { uuid: keyUuid, key, scopes, allowed_ips: ips, last_used_at, expires_at, revoked_at } = view(apiKey);
  const state = revoked_at ? `revoked ${revoked_at}` : expires_at ? `expires ${expires_at}` : 'active';
  return [keyUuid, key, scopes.join(' '), ips.length > 0 ? ips.join(' ') : 'all', state, last_used_at ?? 'never'];
};
