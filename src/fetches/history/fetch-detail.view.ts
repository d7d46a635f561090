import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { translate } from '../../platform/errors/translate';
import { apiEnum } from '../../platform/openapi/api-enum';
import type { FetchFailure } from './fetch-failure.entity';
import type { Fetch } from './fetch.entity';
import { fetchView, FetchView } from './fetch.view';
import type { FailureCode } from './page-outcome';

const FAILURE_CODE = apiEnum<FailureCode>('FetchFailureCode', 'Why a document could not be downloaded.', {
  DOCUMENT_UNAVAILABLE: 'it could not be downloaded; the next fetch retries it',
  DOCUMENT_GONE: 'it no longer exists; the next fetch checks once more',
  DOCUMENT_REFUSED: 'the provider refuses to deliver it: it is too large to be exported, or locked',
  DOCUMENT_EMPTY: 'it has no content at the source',
  DOCUMENT_DAMAGED: 'its content at the source cannot be decoded',
  DOCUMENT_CHANGED: 'it was changed while it was being downloaded; a later fetch downloads the new version',
  DOCUMENT_TOO_LARGE: 'it is larger than the service reads',
});

@ApiSchema({ description: 'A document that a fetch could not download.' })
export class FetchFailureView {
  @ApiProperty({
    type: String,
    nullable: true,
    description: 'The id in the source system, if it has one.',
    example: null,
  })
  external_id: string | null;

  @ApiProperty({ description: 'The name in the source.', example: 'invoice-4711.pdf' })
  filename: string;

  @ApiProperty({
    ...FAILURE_CODE,
    description: 'Why it could not be downloaded.',
    example: 'DOCUMENT_UNAVAILABLE',
  })
  code: string;

  @ApiProperty({
    description: 'In the language of the request; safe to show to the user.',
    example: 'The document could not be fetched. The next fetch will try again.',
  })
  message: string;
}

/** Failures that are listed with their fetch; `counts.failed` is the number of all. */
export const MAX_FAILURES = 100;

@ApiSchema({ description: 'A fetch with the documents that it could not download.' })
export class FetchDetailView extends FetchView {
  @ApiProperty({
    type: [FetchFailureView],
    maxItems: MAX_FAILURES,
    description: `The documents that could not be downloaded, at most ${MAX_FAILURES}; \`counts.failed\` is their number.`,
  })
  failures: FetchFailureView[];
}

export function fetchDetailView(fetch: Fetch, failures: readonly FetchFailure[]): FetchDetailView {
  return {
    ...fetchView(fetch),
    failures: failures.map(failureView),
  };
}

/** The view in the language of the request. */
export function failureView({
  externalId,
  filename,
  code,
}: {
  externalId?: string | null;
  filename: string;
  code: string;
}): FetchFailureView {
  return { external_id: externalId ?? null, filename, code, message: translate(`fetches.failures.${code}`) };
}
