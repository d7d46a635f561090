import { ApiProperty } from '@nestjs/swagger';
import type { Reason } from '../integrations/source-errors';
import { say } from '../platform/http/say';
import { type Connection, USERS_TO_MEND } from './connection.entity';

const REASONS: Reason[] = [...USERS_TO_MEND, 'PROVIDER_DOWN', 'RATE_LIMITED', 'PROVIDER_CHANGED'];

export const ACTIONS = ['UPDATE_CREDENTIALS', 'AUTHORIZE', 'COMPLETE_SETUP', 'WAIT'] as const;
export type Action = (typeof ACTIONS)[number];

const ACTION_OF: Readonly<Record<Reason, Action>> = {
  LOGIN_REJECTED: 'UPDATE_CREDENTIALS',
  AUTHORIZATION_PENDING: 'AUTHORIZE',
  CONSENT_REVOKED: 'AUTHORIZE',
  CONSENT_EXPIRED: 'AUTHORIZE',
  SCOPE_MISSING: 'AUTHORIZE',
  FOLDER_NOT_FOUND: 'COMPLETE_SETUP',
  SETUP_INCOMPLETE: 'COMPLETE_SETUP',
  PROVIDER_DOWN: 'WAIT',
  RATE_LIMITED: 'WAIT',
  PROVIDER_CHANGED: 'WAIT',
};

/** Why a connection is not as it should be. */
export class ReasonView {
  @ApiProperty({ enum: REASONS, enumName: 'ConnectionReason', example: 'LOGIN_REJECTED' })
  code: Reason;

  @ApiProperty({
    description: 'In the language of the request; safe to show to the user.',
    example: 'The provider refused user name or password.',
  })
  message: string;

  @ApiProperty({ format: 'date-time', example: '2026-11-20T08:30:00.000Z' })
  since: string;

  @ApiProperty({
    enum: ACTIONS,
    enumName: 'ConnectionAction',
    description: 'What helps.',
    example: 'UPDATE_CREDENTIALS',
  })
  action: Action;
}

/** The reason in the caller's language; null when all is well. */
export function reasonView(connection: Connection): ReasonView | null {
  const reason = connection.reason;
  if (!reason) return null;
  return {
    code: reason.code,
    message: say(`reasons.${reason.code}`),
    since: reason.since.toISOString(),
    action: ACTION_OF[reason.code],
  };
}
