import type { Command } from 'commander';
import type { AuditEntry } from '../../platform/audit/audit';
import type { AsJson, Cli } from '../shared/cli';
import { AS_JSON, group, leaf } from '../shared/commands';
import { datetime, uuid, whole } from '../shared/parse';
import { table } from '../shared/table';

interface ListOptions extends AsJson {
  readonly environment?: string;
  readonly since?: Date;
  readonly limit?: number;
}

export function addAuditCommands(program: Command, cli: Cli): void {
  const audit = group(program, 'audit', 'The audit log.');
  leaf(audit, 'list', 'Who changed what, newest first.')
    .option('--environment <uuid>', 'Only changes in this environment.', uuid('--environment'))
    .option('--since <datetime>', 'Only changes from then on (RFC 3339).', datetime('--since'))
    .option('--limit <number>', 'How many at the most (default 100).', whole('--limit', 1, 100_000))
    .option(...AS_JSON)
    .action((options: ListOptions) => list(cli, options));
}

async function list({ application, print }: Cli, { environment, since, limit = 100, json }: ListOptions) {
  const { environments, audit } = await application.useCases();
  if (environment) await environments.find(environment);
  const entries = await audit.list({ environmentUuid: environment ?? null, from: since, limit });
  const lines = table(['TIME', 'ACTOR', 'ACTION', 'SUBJECT', 'DETAILS'], entries.map(row));
  print.result(json, entries.map(view), entries.length > 0 ? lines : ['No entries.']);
}

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
