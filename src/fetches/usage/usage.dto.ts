import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsOptional, IsString, Matches } from 'class-validator';
import { invalid } from '../../platform/errors/errors';
import { type AllEnvironments, IsAllEnvironments } from '../../platform/http/access/all-environments';

/** From 2000: nothing is older, and the months before the first one that are listed by default have a year too. */
const MONTH = /^[2-9]\d{3}-(?:0[1-9]|1[0-2])$/;
const MONTH_PROPERTY = { pattern: MONTH.source };

/** The number of months without parameters. */
const DEFAULT_MONTHS = 12;
/** The maximum number of months. */
export const MAX_MONTHS = 120;

export class UsageQuery {
  @ApiPropertyOptional({
    ...MONTH_PROPERTY,
    description: `The first month, in UTC. Default: ${DEFAULT_MONTHS - 1} months before the last one.`,
    example: '2026-01',
  })
  @IsOptional()
  @IsString()
  @Matches(MONTH)
  from?: string;

  @ApiPropertyOptional({
    ...MONTH_PROPERTY,
    description: `The last month, in UTC, up to ${MAX_MONTHS - 1} months after the first one. Default: the current one.`,
    example: '2026-11',
  })
  @IsOptional()
  @IsString()
  @Matches(MONTH)
  to?: string;
}

export class UsageExportQuery extends UsageQuery {
  @IsAllEnvironments(
    'For the support team: the usage of all environments. Default: that of the environment of the session.',
  )
  all_environments?: AllEnvironments;
}

/** A range of months (`2026-11`); both are included. */
export interface Months {
  readonly from: string;
  readonly to: string;
}

/** @throws ApiError 422 naming `to` when the range is reversed or has more than {@link MAX_MONTHS} months */
export function monthsOf(query: UsageQuery, now: Date): Months {
  const to = query.to ?? now.toISOString().slice(0, 7);
  const from = query.from ?? nameOf(numberOf(to) - DEFAULT_MONTHS + 1);
  if (numberOf(to) < numberOf(from)) throw invalid([{ field: 'to', code: 'NOT_LATER' }]);
  if (numberOf(to) - numberOf(from) >= MAX_MONTHS) {
    throw invalid([{ field: 'to', code: 'TOO_MANY', params: { limit: MAX_MONTHS } }]);
  }
  return { from, to };
}

/** Every month of a range, in order. */
export function eachMonth({ from, to }: Months): string[] {
  const first = numberOf(from);
  return Array.from({ length: numberOf(to) - first + 1 }, (_, index) => nameOf(first + index));
}

const numberOf = (month: string): number => Number(month.slice(0, 4)) * 12 + Number(month.slice(5)) - 1;

const nameOf = (number: number): string =>
  `${String(Math.floor(number / 12)).padStart(4, '0')}-${String((number % 12) + 1).padStart(2, '0')}`;
