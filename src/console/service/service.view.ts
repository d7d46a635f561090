import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { MAX_COUNTED } from '../../platform/jobs/monitoring/backlog-gauge';
import { apiEnum } from '../../platform/openapi/api-enum';

export type BacklogKind =
  | 'SCHEDULED_FETCHES'
  | 'QUEUED_FETCHES'
  | 'RUNNING_FETCHES'
  | 'DELIVERIES'
  | 'BLOCKED_DELIVERIES'
  | 'WEBHOOKS'
  | 'EVENTS';

const BACKLOG_KIND = apiEnum<BacklogKind>('BacklogKind', 'Work of the service.', {
  SCHEDULED_FETCHES: 'fetches of the schedule that are due and have not started',
  QUEUED_FETCHES: 'fetches that were started by hand and wait for a worker',
  RUNNING_FETCHES: 'fetches that have started and not ended',
  DELIVERIES: 'documents that are due to be pushed',
  BLOCKED_DELIVERIES: 'documents that are due to be pushed to an endpoint whose circuit is open',
  WEBHOOKS: 'events that wait to be sent to a webhook',
  EVENTS: 'events that are not yet distributed to webhooks',
});

export type WorkerRole = 'ALL' | 'WORKER';

const WORKER_ROLE = apiEnum<WorkerRole>('WorkerRole', 'What a process with a worker does (setting `ROLE`).', {
  ALL: 'it fetches and delivers, and answers requests',
  WORKER: 'it fetches and delivers only',
});

const COUNT = { type: 'integer', minimum: 0 } as const;
const TIME = { type: String, format: 'date-time', nullable: true } as const;

@ApiSchema({ name: 'Backlog', description: 'Work that waits, or has not ended.' })
export class BacklogView {
  @ApiProperty({ ...BACKLOG_KIND, description: 'The kind of work.', example: 'DELIVERIES' })
  kind: BacklogKind;

  @ApiProperty({ ...COUNT, maximum: MAX_COUNTED, description: `The number, counted up to ${MAX_COUNTED}.`, example: 3 })
  count: number;

  @ApiProperty({
    ...TIME,
    description: 'Since when the oldest has been due or running; null when there is none.',
    example: '2026-11-26T21:04:00.000Z',
  })
  oldest_since: string | null;
}

@ApiSchema({ name: 'QueueStatus', description: 'A queue of jobs, as a worker has last counted it.' })
export class QueueView {
  @ApiProperty({ description: 'Its name.', example: 'drain-endpoint' })
  name: string;

  @ApiProperty({ ...COUNT, description: 'Jobs that wait.', example: 0 })
  queued: number;

  @ApiProperty({ ...COUNT, description: 'Jobs that run.', example: 2 })
  active: number;

  @ApiProperty({ ...COUNT, description: 'Jobs that have failed within the last ten minutes.', example: 0 })
  failed: number;

  @ApiProperty({ ...TIME, description: 'When they were counted; null: never.', example: '2026-11-26T21:04:00.000Z' })
  counted_at: string | null;
}

@ApiSchema({ name: 'WorkerProcess', description: 'A process that fetches and delivers.' })
export class WorkerView {
  @ApiProperty({ format: 'uuid', description: 'The process.', example: '019a9f6e-2c41-7c5e-9d0a-1b7c2f3e4d5a' })
  worker_uuid: string;

  @ApiProperty({ description: 'The name of its machine or container.', example: 'docfetch-worker-7d9f4-x2m5k' })
  host: string;

  @ApiProperty({ ...WORKER_ROLE, description: 'What it does.', example: 'WORKER' })
  role: WorkerRole;

  @ApiProperty({ description: 'Its version of the service.', example: '1.0.0' })
  version: string;

  @ApiProperty({ format: 'date-time', description: 'When it was started.', example: '2026-11-26T08:00:00.000Z' })
  started_at: string;

  @ApiProperty({ format: 'date-time', description: 'When it last reported.', example: '2026-11-26T21:04:00.000Z' })
  last_seen_at: string;

  @ApiProperty({ description: 'Whether it has reported within the last minute.', example: true })
  running: boolean;
}

@ApiSchema({ name: 'WorkerStatus', description: 'The workers of the installation.' })
export class WorkersView {
  @ApiProperty({ description: 'Whether at least one has reported within the last minute.', example: true })
  running: boolean;

  @ApiProperty({ ...TIME, description: 'When one last reported; null: never.', example: '2026-11-26T21:04:00.000Z' })
  last_seen_at: string | null;

  @ApiProperty({
    ...COUNT,
    description: 'Running fetches whose worker has stopped; another one takes them over within seconds.',
    example: 0,
  })
  abandoned_fetches: number;

  @ApiProperty({
    type: [WorkerView],
    description:
      'The running ones, and for an hour those that have ended without a shutdown; those that reported last are first, at most 100.',
  })
  processes: WorkerView[];
}

@ApiSchema({ name: 'ServiceVersions', description: 'What is installed.' })
export class VersionsView {
  @ApiProperty({ description: 'The version of the service that has answered.', example: '1.0.0' })
  service: string;

  @ApiProperty({ description: 'The version of Node.js.', example: '24.11.1' })
  node: string;

  @ApiProperty({ description: 'The version of PostgreSQL.', example: '17.6' })
  database: string;

  @ApiProperty({ description: 'The last migration of the schema.', example: '20261126210000_expect-documents' })
  schema: string;
}

@ApiSchema({ description: 'The state of the whole installation.' })
export class ServiceStatusView {
  @ApiProperty({ type: VersionsView, description: 'What is installed.' })
  versions: VersionsView;

  @ApiProperty({ type: WorkersView, description: 'The workers.' })
  workers: WorkersView;

  @ApiProperty({ type: [BacklogView], description: 'Work that waits, and running fetches.' })
  backlogs: BacklogView[];

  @ApiProperty({ type: [QueueView], description: 'The queues of jobs.' })
  queues: QueueView[];

  @ApiProperty({ ...COUNT, description: 'Endpoints of clients whose circuit is open.', example: 0 })
  open_circuits: number;

  @ApiProperty({
    ...COUNT,
    required: false,
    description:
      'Active connections for which no fetch has succeeded for three intervals; very many are counted less often than they are read. Absent while they are being counted for the first time.',
    example: 3,
  })
  overdue_connections?: number;
}
