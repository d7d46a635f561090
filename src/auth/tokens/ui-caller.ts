import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Caller, CallerRequest } from '../../platform/http/access/access.decorator';
import type { UiTokenClaims } from './ui-tokens';

/** A caller with a UI token, and the claims of the token. */
export interface UiCaller extends Caller {
  readonly identityUuid: string;
  readonly claims: UiTokenClaims;
}

/** The caller of a route that accepts only a UI token. */
export const CurrentUiCaller = createParamDecorator((_: unknown, context: ExecutionContext): UiCaller => {
  const { caller } = context.switchToHttp().getRequest<CallerRequest>();
  if (!caller || !('claims' in caller)) throw new Error('The caller of this route may have come without a UI token.');
  return caller as UiCaller;
});
