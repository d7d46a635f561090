import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import type { CallerRequest } from '../../platform/http/access/access.decorator';
import { forbidden } from '../../platform/errors/errors';
import { bodyMembers } from '../../platform/http/input/json-body';

/**
 * Rejects creating a connection with a token that is restricted to an existing connection or to another integration
 * (decisions 3). Runs before the rest of the body is validated.
 */
@Injectable()
export class TokenScopeGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const request = context.switchToHttp().getRequest<CallerRequest>();
    const { onlyConnectionUuid, onlyIntegrationId } = request.caller!;
    if (onlyConnectionUuid !== null) throw forbidden('NOT_ALLOWED_BY_TOKEN');
    const { integration_id: given } = bodyMembers(request.body);
    const isOther = onlyIntegrationId !== null && typeof given === 'string' && given !== onlyIntegrationId;
    if (isOther) throw forbidden('NOT_ALLOWED_BY_TOKEN');
    return true;
  }
}
