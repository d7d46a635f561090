import { Command, CommandRunner, Option, SubCommand } from 'nest-commander';
import type { ApiKey } from '../../auth/keys/api-key.entity';
import { Application } from '../use-cases/application';
import { KEY_SCOPES, type KeyScope } from '../../platform/http/access/key-scope';
import { datetime, ipRange, oneOf } from '../shared/parse';
import { cliActor, explain, Print, uuid } from '../shared/print';
import { table } from '../shared/table';

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
  const { uuid, key, scopes, allowed_ips: ips, last_used_at, expires_at, revoked_at } = view(apiKey);
  const state = revoked_at ? `revoked ${revoked_at}` : expires_at ? `expires ${expires_at}` : 'active';
  return [uuid, key, scopes.join(' '), ips.length > 0 ? ips.join(' ') : 'all', state, last_used_at ?? 'never'];
};

interface IssueOptions {
  readonly environment: string;
  readonly expires?: Date;
  readonly scope?: KeyScope[];
  readonly allowedIp?: string[];
  readonly json?: boolean;
}

@SubCommand({ name: 'issue', description: 'Issue another key for an environment; it is shown this once.' })
export class IssueKeyCommand extends CommandRunner {
  constructor(
    private readonly application: Application,
    private readonly print: Print,
  ) {
    super();
  }

  async run(_: string[], options: IssueOptions): Promise<void> {
    const { keys } = await this.application.useCases();
    const limits = { scopes: options.scope, allowedIps: options.allowedIp };
    const { key, record } = await keys.issue(cliActor(), options.environment, options.expires ?? null, limits);
    this.print.result(options.json, { ...view(record), api_key: key }, [
      `Key      ${record.uuid}`,
      `API key  ${key}`,
      'The key is not shown again.',
    ]);
  }

  @Option({ flags: '--environment <uuid>', description: 'The environment.', required: true })
  parseEnvironment(value: string): string {
    return uuid('--environment', value);
  }

  @Option({ flags: '--expires <datetime>', description: 'When it stops working (RFC 3339).' })
  parseExpires(value: string): Date {
    return datetime('--expires', value);
  }

  @Option({
    flags: '--scope <scope>',
    description: `What it may be used for: ${KEY_SCOPES.join(', ')}; repeatable. Default: everything.`,
  })
  parseScope(value: string, given: KeyScope[] = []): KeyScope[] {
    return [...given, oneOf('--scope', KEY_SCOPES, value)];
  }

  @Option({
    flags: '--allowed-ip <network>',
    description: 'An address or network (CIDR) from which it may be used; repeatable. Default: all.',
  })
  parseAllowedIp(value: string, given: string[] = []): string[] {
    return [...given, ipRange('--allowed-ip', value)];
  }

  @Option({ flags: '--json', description: 'Print JSON.' })
  parseJson(): boolean {
    return true;
  }
}

@SubCommand({ name: 'list', description: 'List the keys of an environment.' })
export class ListKeysCommand extends CommandRunner {
  constructor(
    private readonly application: Application,
    private readonly print: Print,
  ) {
    super();
  }

  async run(_: string[], options: { environment: string; json?: boolean }): Promise<void> {
    const { keys } = await this.application.useCases();
    const found = await keys.list(options.environment);
    const lines = table(['UUID', 'KEY', 'SCOPES', 'ADDRESSES', 'STATE', 'LAST USED'], found.map(row));
    this.print.result(options.json, found.map(view), found.length > 0 ? lines : ['No keys.']);
  }

  @Option({ flags: '--environment <uuid>', description: 'The environment.', required: true })
  parseEnvironment(value: string): string {
    return uuid('--environment', value);
  }

  @Option({ flags: '--json', description: 'Print JSON.' })
  parseJson(): boolean {
    return true;
  }
}

@SubCommand({ name: 'revoke', arguments: '<key>', description: 'Revoke a key, at once.' })
export class RevokeKeyCommand extends CommandRunner {
  constructor(
    private readonly application: Application,
    private readonly print: Print,
  ) {
    super();
  }

  async run([key]: string[], options: { json?: boolean }): Promise<void> {
    const keyUuid = uuid('The key', key!);
    const { keys } = await this.application.useCases();
    const record = await keys.revoke(cliActor(), keyUuid);
    this.print.result(options.json, view(record), [`Revoked ${record.uuid}.`]);
  }

  @Option({ flags: '--json', description: 'Print JSON.' })
  parseJson(): boolean {
    return true;
  }
}

@Command({ name: 'key', description: 'API keys.', subCommands: [IssueKeyCommand, ListKeysCommand, RevokeKeyCommand] })
export class KeyCommand extends CommandRunner {
  run(given: string[]): Promise<void> {
    return explain(this.command, given);
  }
}
