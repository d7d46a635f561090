import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import type { CallerRequest } from './access.decorator';
import { assertWithinTokenScope } from './token-scope';

/** For what a token for one connection or integration does not permit (decisions 3): 403 `NOT_ALLOWED_BY_TOKEN`. */
@Injectable()
export class UnrestrictedTokenGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const { caller } = context.switchToHttp().getRequest<CallerRequest>();
    assertWithinTokenScope(caller!, { connectionUuid: null, integrationId: null });
    return true;
  }
}
