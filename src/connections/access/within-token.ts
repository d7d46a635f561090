import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import type { CallerRequest } from '../../platform/http/access/access.decorator';
import { forbidden } from '../../platform/errors/errors';
import { bodyMembers } from '../../platform/http/input/json-body';

/**
 * Refuses to make a connection with a token that was opened for another one, or for another integration (decisions 3),
 * before the rest of the body is looked at.
 */
@Injectable()
export class WithinTokenGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const request = context.switchToHttp().getRequest<CallerRequest>();
    const { onlyConnectionUuid, onlyIntegrationId } = request.caller!;
    if (onlyConnectionUuid !== null) throw forbidden('NOT_ALLOWED_BY_TOKEN');
    const { integration_id: given } = bodyMembers(request.body);
    const another = onlyIntegrationId !== null && typeof given === 'string' && given !== onlyIntegrationId;
    if (another) throw forbidden('NOT_ALLOWED_BY_TOKEN');
    return true;
  }
}
