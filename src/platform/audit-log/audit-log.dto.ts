import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsOptional, IsString, IsUUID, Matches, MaxLength } from 'class-validator';
import { IsPlainText } from '../http/input/is-plain-text';
import { type AllEnvironments, IsAllEnvironments } from '../http/access/all-environments';
import { PageQuery } from '../http/input/page';
import { IsRfc3339 } from '../http/input/rfc3339';

export class AuditLogQuery extends PageQuery {
  @ApiPropertyOptional({ maxLength: 255, description: 'Only changes by this actor.', example: 'cli:anna' })
  @IsOptional()
  @IsString()
  @MaxLength(255)
  @IsPlainText()
  actor?: string;

  @ApiPropertyOptional({
    maxLength: 100,
    pattern: '^[a-z_-]+(\\.[a-z_-]+)?$',
    description: 'Only this action (`key.issue`), or all actions on one kind of object (`key`).',
    example: 'key',
  })
  @IsOptional()
  @IsString()
  @MaxLength(100)
  @Matches(/^[a-z_-]+(\.[a-z_-]+)?$/)
  action?: string;

  @ApiPropertyOptional({
    format: 'uuid',
    description: 'Only changes of this object.',
    example: '019a9f6e-2c41-7c5e-9d0a-1b7c2f3e4d5a',
  })
  @IsOptional()
  @IsUUID()
  subject_uuid?: string;

  @ApiPropertyOptional({
    format: 'date-time',
    description: 'Only changes at or after this time; a date means its beginning in UTC.',
    example: '2026-11-20T00:00:00Z',
  })
  @IsOptional()
  @IsRfc3339()
  from?: string;

  @ApiPropertyOptional({
    format: 'date-time',
    description: 'Only changes before this time; a date means its beginning in UTC.',
    example: '2026-11-27T00:00:00Z',
  })
  @IsOptional()
  @IsRfc3339()
  to?: string;

  @IsAllEnvironments(
    'For the support team: changes in all environments, and those of the whole installation. Default: those in the environment of the session.',
  )
  all_environments?: AllEnvironments;
}
