import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import type { CallerRequest } from '../../platform/http/access/access.decorator';
import { assertWithinTokenScope } from '../../platform/http/access/token-scope';
import { bodyMembers } from '../../platform/http/input/json-body';

/**
 * Rejects creating a connection with a token that is restricted to an existing connection or to another integration
 * (decisions 3). Runs before the rest of the body is validated.
 */
@Injectable()
export class TokenScopeGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const request = context.switchToHttp().getRequest<CallerRequest>();
    const { integration_id: given } = bodyMembers(request.body);
    // An integration_id of another type is rejected by the validation.
    const integrationId = typeof given === 'string' ? given : undefined;
    assertWithinTokenScope(request.caller!, { connectionUuid: null, integrationId });
    return true;
  }
}
