import { ApiProperty, ApiPropertyOptional, ApiSchema } from '@nestjs/swagger';
import { IsOptional, IsUUID } from 'class-validator';
import type { ConsoleRole } from '../../platform/http/access/access.decorator';
import { PageQuery } from '../../platform/http/input/page';
import { CONSOLE_ROLE } from './console-session.view';

export class ListConsoleSessionsQuery extends PageQuery {
  @ApiPropertyOptional({
    format: 'uuid',
    description: 'Only sessions of this environment.',
    example: '019a9f6e-2c41-7c5e-9d0a-1b7c2f3e4d5a',
  })
  @IsOptional()
  @IsUUID()
  environment_uuid?: string;
}

@ApiSchema({ description: 'A session of the console that has not ended.' })
export class ConsoleSessionSummaryView {
  @ApiProperty({
    format: 'uuid',
    description: 'Identifies the session.',
    example: '019a9f6e-2c41-7c5e-9d0a-1b7c2f3e4d5a',
  })
  session_uuid: string;

  @ApiProperty({ ...CONSOLE_ROLE, description: 'What the session may see and change.', example: 'DEVELOPER' })
  role: ConsoleRole;

  @ApiProperty({
    format: 'uuid',
    description: 'The environment that it was opened for.',
    example: '019a9f6e-2c41-7c5e-9d0a-1b7c2f3e4d5a',
  })
  environment_uuid: string;

  @ApiProperty({
    description: 'What opened it: `key:<uuid>`, or `cli:<user>` for the link of a member of the support team.',
    example: 'key:019a9f6e-2c41-7c5e-9d0a-1b7c2f3e4d5a',
  })
  opened_by: string;

  @ApiProperty({
    type: String,
    nullable: true,
    description: 'The browser, as it names itself; null if it does not.',
    example: 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
  })
  user_agent: string | null;

  @ApiProperty({ format: 'date-time', description: 'When it was opened.', example: '2026-11-20T09:00:00.000Z' })
  created_at: string;

  @ApiProperty({
    format: 'date-time',
    description: 'When it was used last, to the minute.',
    example: '2026-11-20T09:41:00.000Z',
  })
  last_used_at: string;

  @ApiProperty({ format: 'date-time', description: 'When it ends.', example: '2026-11-20T17:00:00.000Z' })
  expires_at: string;

  @ApiProperty({ description: 'Whether it is the session of the request.', example: false })
  is_current: boolean;
}
