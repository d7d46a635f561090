import { ApiProperty } from '@nestjs/swagger';
import { say } from '../platform/http/say';
import type { FailedDocument } from './failed-document.entity';
import { type Fetch, FETCH_STATUSES, FETCH_TRIGGERS, type FetchStatus, type FetchTrigger } from './fetch.entity';

const UUID = { format: 'uuid', example: '019a9f6e-2c41-7c5e-9d0a-1b7c2f3e4d5a' };

/** The answer to fetch-now (spec 4.6): the one success body without `data`. */
export class FetchQueuedView {
  @ApiProperty({ ...UUID, description: 'The new fetch.' })
  uuid: string;
}

/** What became of the documents that the source showed: `seen = new + duplicate + filtered + failed`. */
export class FetchCountsView {
  @ApiProperty({ type: 'integer', description: 'Documents that the source showed.', example: 12 })
  seen: number;

  @ApiProperty({ type: 'integer', description: 'Recorded as transactions.', example: 3 })
  new: number;

  @ApiProperty({ type: 'integer', description: 'Known already.', example: 7 })
  duplicate: number;

  @ApiProperty({ type: 'integer', description: 'Outside of what the connection is set up to fetch.', example: 1 })
  filtered: number;

  @ApiProperty({ type: 'integer', description: 'Could not be read; the next fetch tries again.', example: 1 })
  failed: number;
}

/** Why a fetch did not go through to its end. */
export class FetchErrorView {
  @ApiProperty({
    description: 'A reason as a connection has it, or `CONNECTION_NOT_ACTIVE`.',
    example: 'PROVIDER_DOWN',
  })
  code: string;

  @ApiProperty({
    description: 'In the language of the request; safe to show to the user.',
    example: 'The provider cannot be reached at the moment. We try again by ourselves.',
  })
  message: string;
}

/** A document that a fetch could not read. */
export class FetchFailureView {
  @ApiProperty({
    type: String,
    nullable: true,
    description: 'The id in the source system, if it gives one.',
    example: null,
  })
  external_id: string | null;

  @ApiProperty({ description: 'As the source calls it.', example: 'invoice-4711.pdf' })
  filename: string;

  @ApiProperty({
    enum: ['DOCUMENT_UNAVAILABLE', 'DOCUMENT_GONE'],
    enumName: 'FetchFailureCode',
    description: '`DOCUMENT_UNAVAILABLE`: the next fetch tries again. `DOCUMENT_GONE`: it will not come back.',
    example: 'DOCUMENT_UNAVAILABLE',
  })
  code: string;

  @ApiProperty({
    description: 'In the language of the request; safe to show to the user.',
    example: 'The document could not be read. The next fetch tries again.',
  })
  message: string;
}

/** One run over a connection's source. */
export class FetchView {
  @ApiProperty(UUID)
  uuid: string;

  @ApiProperty({ ...UUID, description: 'The connection.' })
  connection_uuid: string;

  @ApiProperty({
    enum: FETCH_TRIGGERS,
    enumName: 'FetchTrigger',
    description:
      'What brought it about: `MANUAL` fetch-now, `SCHEDULED` the interval, `INITIAL` the end of the setup, `RECOVERY` a catch-up after a failure, mending or enabling.',
    example: 'SCHEDULED',
  })
  trigger: FetchTrigger;

  @ApiProperty({
    enum: FETCH_STATUSES,
    enumName: 'FetchStatus',
    description: '`PARTIAL`: some documents came, others could not be read. One fetch per connection runs at a time.',
    example: 'SUCCEEDED',
  })
  status: FetchStatus;

  @ApiProperty({ type: FetchCountsView })
  counts: FetchCountsView;

  @ApiProperty({ type: FetchErrorView, nullable: true, description: 'Why it ended early.', example: null })
  error: FetchErrorView | null;

  @ApiProperty({ format: 'date-time', description: 'When it was queued.', example: '2026-11-20T08:30:00.000Z' })
  created_at: string;

  @ApiProperty({ type: String, format: 'date-time', nullable: true, example: '2026-11-20T08:30:01.000Z' })
  started_at: string | null;

  @ApiProperty({ type: String, format: 'date-time', nullable: true, example: '2026-11-20T08:30:09.000Z' })
  finished_at: string | null;
}

/** So many failures are listed with their fetch; `counts.failed` tells of all. */
export const MAX_FAILURES = 100;

/** A fetch with what it could not read. */
export class FetchDetailView extends FetchView {
  @ApiProperty({
    type: [FetchFailureView],
    maxItems: MAX_FAILURES,
    description: `The documents that could not be read: the first ${MAX_FAILURES} of them, \`counts.failed\` tells how many there are.`,
  })
  failures: FetchFailureView[];
}

export function fetchView(fetch: Fetch): FetchView {
  return {
    uuid: fetch.uuid,
    connection_uuid: fetch.connectionUuid,
    trigger: fetch.trigger,
    status: fetch.status,
    counts: {
      seen: fetch.seen,
      new: fetch.new,
      duplicate: fetch.duplicate,
      filtered: fetch.filtered,
      failed: fetch.failed,
    },
    error: fetch.errorCode ? { code: fetch.errorCode, message: sayFetchError(fetch.errorCode) } : null,
    created_at: fetch.createdAt.toISOString(),
    started_at: fetch.startedAt?.toISOString() ?? null,
    finished_at: fetch.finishedAt?.toISOString() ?? null,
  };
}

export function fetchDetailView(fetch: Fetch, failures: readonly FailedDocument[]): FetchDetailView {
  return {
    ...fetchView(fetch),
    failures: failures.map(({ externalId, filename, code }) => ({
      external_id: externalId ?? null,
      filename,
      code,
      message: say(`fetches.failures.${code}`),
    })),
  };
}

/** Why a fetch ended early, in the language of the request: a connection's reason, or that it stopped being active. */
export function sayFetchError(code: string): string {
  return say(code === 'CONNECTION_NOT_ACTIVE' ? `fetches.errors.${code}` : `reasons.${code}`);
}
