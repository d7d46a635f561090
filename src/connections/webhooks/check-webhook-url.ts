import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import type { CallerRequest } from '../../platform/http/access/access.decorator';
import { bodyMembers } from '../../platform/http/input/json-body';
import { GuardedNetwork } from '../../platform/network/guarded-network';
import { isClientUrl, isClosedUrl } from '../../platform/network/client-url';

/**
 * Finds a literal address that can never be reached in the body's `url`; it is told with all other faults of the body.
 * What a name resolves to is decided whenever something is sent.
 */
@Injectable()
export class CheckWebhookUrlGuard implements CanActivate {
  constructor(private readonly network: GuardedNetwork) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<CallerRequest>();
    const { url } = bodyMembers(request.body);
    if (typeof url === 'string' && isClientUrl(url) && (await isClosedUrl(this.network, url))) {
      request.faultsInBody = [...(request.faultsInBody ?? []), { field: 'url', code: 'ADDRESS_NOT_ALLOWED' }];
    }
    return true;
  }
}
