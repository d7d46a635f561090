import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { consoleActor } from '../console-session/console-actor';
import { csrfTokenOf } from '../console-session/session-cookie';
import type { ConsoleSession } from '../console-session/console-session.entity';
import type { ConsoleRole } from '../../platform/http/access/access.decorator';
import { currentLang, type Lang } from '../../platform/i18n/lang';
import { apiEnum } from '../../platform/openapi/api-enum';
import { LANGUAGE } from '../ui-token/ui-token.dto';

export const CONSOLE_ROLE = apiEnum<ConsoleRole>('ConsoleRole', 'Who uses the console.', {
  DEVELOPER: 'a developer of the client, in the environment of the session',
  SUPPORT: 'the support team, in all environments',
});

@ApiSchema({ description: 'The session of the console in this browser.' })
export class ConsoleSessionView {
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
    description: 'The environment of the session: for the role `SUPPORT` the one to show first.',
    example: '019a9f6e-2c41-7c5e-9d0a-1b7c2f3e4d5a',
  })
  environment_uuid: string;

  @ApiProperty({
    description: 'The actor of its changes in the audit log.',
    example: 'console:019a9f6e-2c41-7c5e-9d0a-1b7c2f3e4d5a',
  })
  actor: string;

  @ApiProperty({
    format: 'date-time',
    description: 'When the session ends.',
    example: '2026-11-20T17:00:00.000Z',
  })
  expires_at: string;

  @ApiProperty({
    description: 'Send it as `X-CSRF-TOKEN` in every other request of the session.',
    example: 'u1Z9x0T3m2b5nJc0Tt6h5wXkqWmGZgQ8pLr4sVd7yAE',
  })
  csrf_token: string;

  @ApiProperty({ ...LANGUAGE, description: 'The language of the response.', example: 'en' })
  lang: Lang;
}

export const consoleSessionView = (session: ConsoleSession, secret: string): ConsoleSessionView => ({
  session_uuid: session.uuid,
  role: session.role,
  environment_uuid: session.environmentUuid,
  actor: consoleActor(session.uuid),
  expires_at: session.expiresAt.toISOString(),
  csrf_token: csrfTokenOf(secret),
  lang: currentLang(),
});
