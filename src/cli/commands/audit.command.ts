import { Command, CommandRunner, Option, SubCommand } from 'nest-commander';
import type { AuditEntry } from '../../platform/audit/audit';
import { Application } from '../use-cases/application';
import { datetime, whole } from '../shared/parse';
import { explain, Print, uuid } from '../shared/print';
import { table } from '../shared/table';

const view = (entry: AuditEntry) => ({
  created_at: entry.createdAt.toISOString(),
  actor: entry.actor,
  action: entry.action,
  environment_uuid: entry.environmentUuid ?? null,
  subject_uuid: entry.subjectUuid ?? null,
  details: entry.details,
});

const row = (entry: AuditEntry): string[] => {
  const { created_at, actor, action, subject_uuid, details } = view(entry);
  return [
    created_at,
    actor,
    action,
    subject_uuid ?? '-',
    Object.keys(details).length > 0 ? JSON.stringify(details) : '',
  ];
};

@SubCommand({ name: 'list', description: 'Who changed what, newest first.' })
export class ListAuditCommand extends CommandRunner {
  constructor(
    private readonly application: Application,
    private readonly print: Print,
  ) {
    super();
  }

  async run(
    _: string[],
    options: { environment?: string; since?: Date; limit?: number; json?: boolean },
  ): Promise<void> {
    const { environments, audit } = await this.application.useCases();
    if (options.environment) await environments.find(options.environment);
    const entries = await audit.list({
      environmentUuid: options.environment ?? null,
      from: options.since,
      limit: options.limit ?? 100,
    });
    const lines = table(['TIME', 'ACTOR', 'ACTION', 'SUBJECT', 'DETAILS'], entries.map(row));
    this.print.result(options.json, entries.map(view), entries.length > 0 ? lines : ['No entries.']);
  }

  @Option({ flags: '--environment <uuid>', description: 'Only changes in this environment.' })
  parseEnvironment(value: string): string {
    return uuid('--environment', value);
  }

  @Option({ flags: '--since <datetime>', description: 'Only changes from then on (RFC 3339).' })
  parseSince(value: string): Date {
    return datetime('--since', value);
  }

  @Option({ flags: '--limit <number>', description: 'How many at the most (default 100).' })
  parseLimit(value: string): number {
    return whole('--limit', value, 1, 100_000);
  }

  @Option({ flags: '--json', description: 'Print JSON.' })
  parseJson(): boolean {
    return true;
  }
}

@Command({ name: 'audit', description: 'The audit log.', subCommands: [ListAuditCommand] })
export class AuditCommand extends CommandRunner {
  run(given: string[]): Promise<void> {
    return explain(this.command, given);
  }
}
