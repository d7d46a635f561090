import { applyDecorators } from '@nestjs/common';
import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsIn, IsOptional } from 'class-validator';
import { forbidden } from '../../errors/errors';
import type { Caller } from './access.decorator';

const VALUES = ['true', 'false'] as const;
export type AllEnvironments = (typeof VALUES)[number];

/** The query parameter with which the support team asks for all environments. */
export const IsAllEnvironments = (description: string): PropertyDecorator =>
  applyDecorators(ApiPropertyOptional({ enum: VALUES, description, example: 'true' }), IsOptional(), IsIn(VALUES));

/**
 * The environment that is asked for; null for all.
 * @throws ApiError 403 `SUPPORT_ONLY` when a developer asks for all
 */
export function environmentOrAll(
  { environmentUuid, session }: Caller,
  { all_environments: all }: { readonly all_environments?: AllEnvironments },
): string | null {
  if (all !== 'true') return environmentUuid;
  if (session?.role !== 'SUPPORT') throw forbidden('SUPPORT_ONLY');
  return null;
}
