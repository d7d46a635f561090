import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { FETCH_STATUS } from '../../connections/state/views/last-fetch.view';
import { translate } from '../../platform/errors/translate';
import { apiEnum } from '../../platform/openapi/api-enum';
import { FilteredByView } from './filtered-by.view';
import type { Fetch, FetchStatus, FetchTrigger } from './fetch.entity';

const UUID = { format: 'uuid', example: '019a9f6e-2c41-7c5e-9d0a-1b7c2f3e4d5a' };

const TRIGGER = apiEnum<FetchTrigger>('FetchTrigger', 'Why a fetch was started.', {
  MANUAL: 'fetch-now',
  SCHEDULED: 'the interval of the environment',
  INITIAL: 'the end of the setup',
  RECOVERY: 'a catch-up after a failure, a fix of the connection or enabling',
});

/** The response of fetch-now (spec 4.6): the only success body without `data`. */
@ApiSchema({ description: 'A fetch that has been queued. The only success body without `data`.' })
export class FetchQueuedView {
  @ApiProperty({ ...UUID, description: 'The new fetch.' })
  uuid: string;
}

@ApiSchema({
  description: 'The outcomes of the documents that the source listed: `seen = new + duplicate + filtered + failed`.',
})
export class FetchCountsView {
  @ApiProperty({ type: 'integer', minimum: 0, description: 'Documents that the source listed.', example: 12 })
  seen: number;

  @ApiProperty({ type: 'integer', minimum: 0, description: 'Documents recorded as transactions.', example: 3 })
  new: number;

  @ApiProperty({ type: 'integer', minimum: 0, description: 'Already known.', example: 7 })
  duplicate: number;

  @ApiProperty({
    type: 'integer',
    minimum: 0,
    description: 'Not fetched, for the reasons in `filtered_by`.',
    example: 1,
  })
  filtered: number;

  @ApiProperty({
    type: 'integer',
    minimum: 0,
    description: 'Could not be downloaded; the next fetch retries them.',
    example: 1,
  })
  failed: number;
}

@ApiSchema({ description: 'Why a fetch ended early.' })
export class FetchErrorView {
  @ApiProperty({
    description: 'A reason as in a connection, or `CONNECTION_NOT_ACTIVE`.',
    example: 'PROVIDER_DOWN',
  })
  code: string;

  @ApiProperty({
    description: 'In the language of the request; safe to show to the user.',
    example: 'The provider cannot be reached at the moment. We retry automatically.',
  })
  message: string;
}

@ApiSchema({ description: 'One run of a connection.' })
export class FetchView {
  @ApiProperty({ ...UUID, description: 'The fetch.' })
  uuid: string;

  @ApiProperty({ ...UUID, description: 'The connection.' })
  connection_uuid: string;

  @ApiProperty({
    ...TRIGGER,
    description: 'Why it was started.',
    example: 'SCHEDULED',
  })
  trigger: FetchTrigger;

  @ApiProperty({
    ...FETCH_STATUS,
    description: 'Its progress or result.',
    example: 'SUCCEEDED',
  })
  status: FetchStatus;

  @ApiProperty({ type: FetchCountsView, description: 'The outcomes of the documents.' })
  counts: FetchCountsView;

  @ApiProperty({
    type: FilteredByView,
    description: 'Why documents were not fetched: the number of them by reason.',
    example: { TYPE: 1 },
  })
  filtered_by: FilteredByView;

  @ApiProperty({ type: FetchErrorView, nullable: true, description: 'Why it failed; null when it did not fail.' })
  error: FetchErrorView | null;

  @ApiProperty({ format: 'date-time', description: 'When it was queued.', example: '2026-11-20T08:30:00.000Z' })
  created_at: string;

  @ApiProperty({
    type: String,
    format: 'date-time',
    nullable: true,
    description: 'When it started; null while it is queued.',
    example: '2026-11-20T08:30:01.000Z',
  })
  started_at: string | null;

  @ApiProperty({
    type: String,
    format: 'date-time',
    nullable: true,
    description: 'When it ended; null until then.',
    example: '2026-11-20T08:30:09.000Z',
  })
  finished_at: string | null;
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
    filtered_by: fetch.filteredBy ?? {},
    error: fetch.errorCode ? { code: fetch.errorCode, message: translateFetchError(fetch.errorCode) } : null,
    created_at: fetch.createdAt.toISOString(),
    started_at: fetch.startedAt?.toISOString() ?? null,
    finished_at: fetch.finishedAt?.toISOString() ?? null,
  };
}

/** The reason why a fetch ended early, in the language of the request: a reason of the connection, or that it is no longer active. */
export function translateFetchError(code: string): string {
  return translate(code === 'CONNECTION_NOT_ACTIVE' ? `fetches.errors.${code}` : `reasons.${code}`);
}
