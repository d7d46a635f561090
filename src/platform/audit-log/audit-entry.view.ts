import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import type { AuditEntry } from '../audit/audit';

const UUID = { format: 'uuid', example: '019a9f6e-2c41-7c5e-9d0a-1b7c2f3e4d5a' } as const;

@ApiSchema({ name: 'AuditEntry', description: 'One change: who did what, and when. Contains no secrets.' })
export class AuditEntryView {
  @ApiProperty({ ...UUID, description: 'The entry.' })
  entry_uuid: string;

  @ApiProperty({ format: 'date-time', description: 'When it was done.', example: '2026-11-20T08:30:00.000Z' })
  created_at: string;

  @ApiProperty({
    description:
      'Who did it: `cli:<user>` (a command of the operator), `console:<session>`, `key:<API key>`, `token:<identity>` (a UI token), `service` (the service itself).',
    example: 'cli:anna',
  })
  actor: string;

  @ApiProperty({ description: 'A kind of object and what was done with it.', example: 'key.issue' })
  action: string;

  @ApiProperty({
    ...UUID,
    type: String,
    nullable: true,
    description: 'The environment; null for an action that concerns the whole installation.',
  })
  environment_uuid: string | null;

  @ApiProperty({ ...UUID, type: String, nullable: true, description: 'The object, if there is one.' })
  subject_uuid: string | null;

  @ApiProperty({
    type: 'object',
    additionalProperties: true,
    description: 'What was changed; the members depend on the action.',
    example: { strategy: 'PUSH' },
  })
  details: Readonly<Record<string, unknown>>;
}

export const auditEntryView = (entry: AuditEntry): AuditEntryView => ({
  entry_uuid: entry.uuid,
  created_at: entry.createdAt.toISOString(),
  actor: entry.actor,
  action: entry.action,
  environment_uuid: entry.environmentUuid ?? null,
  subject_uuid: entry.subjectUuid ?? null,
  details: entry.details,
});
