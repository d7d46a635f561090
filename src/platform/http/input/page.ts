import { ApiPropertyOptional } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import { IsInt, IsOptional, IsString, Max, MaxLength, Min } from 'class-validator';
import { validate as isUuid } from 'uuid';
import type { PageMeta } from '../../errors/envelope';
import { invalid } from '../../errors/errors';

export const DEFAULT_LIMIT = 100;
export const MAX_LIMIT = 500;

/** The paging parameters of every list (decisions 1). */
export class PageQuery {
  @ApiPropertyOptional({
    type: 'integer',
    minimum: 1,
    maximum: MAX_LIMIT,
    description: 'The maximum number of items to return.',
    example: 100,
  })
  @IsOptional()
  @Type(() => Number)
  @IsInt()
  @Min(1)
  @Max(MAX_LIMIT)
  limit?: number;

  @ApiPropertyOptional({
    maxLength: 256,
    description: 'Where to continue: the `next_cursor` of an earlier page. Opaque.',
    example: 'WzQyXQ',
  })
  @IsOptional()
  @IsString()
  @MaxLength(256)
  cursor?: string;
}

/** Encodes the values that the next page's query needs as an opaque cursor. */
export function encodeCursor(value: readonly (string | number)[]): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}

/**
 * Reads a cursor whose parts must satisfy `isWellFormed`.
 * @throws ApiError 422 naming `cursor`
 */
export function decodeCursor<T extends readonly (string | number)[]>(
  cursor: string,
  isWellFormed: (value: unknown[]) => boolean,
): T {
  try {
    const value: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'));
    if (Array.isArray(value) && isWellFormed(value)) return value as unknown as T;
  } catch {
    // Not a valid cursor: rejected below.
  }
  throw invalid([{ field: 'cursor', code: 'INVALID_CURSOR' }]);
}

/**
 * The uuid at which the previous page of {@link pageOf} ended; null for the first page.
 * @throws ApiError 422 naming `cursor`
 */
export function uuidCursor({ cursor }: Pick<PageQuery, 'cursor'>): string | null {
  if (!cursor) return null;
  return decodeCursor<[string]>(cursor, ([uuid, ...rest]) => isUuid(uuid) && rest.length === 0)[0];
}

/** A page of rows that are ordered by uuid: `rows` has one more than `limit` when another page follows. */
export function pageOf<T extends { readonly uuid: string }>(
  rows: readonly T[],
  limit: number,
): { page: T[]; meta: PageMeta } {
  const page = rows.slice(0, limit);
  const hasMore = rows.length > limit;
  return { page, meta: { next_cursor: hasMore ? encodeCursor([page.at(-1)!.uuid]) : null, has_more: hasMore } };
}
