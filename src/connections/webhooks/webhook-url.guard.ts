import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import type { CallerRequest } from '../../platform/http/access/access.decorator';
import { bodyMembers } from '../../platform/http/input/json-body';
import { GuardedNetwork } from '../../platform/network/guarded-network';
import { isClientUrl, isClosedUrl } from '../../platform/network/client-url';

/**
 * Checks the body's `url` for a literal IP address that is never allowed, and reports it with the other field errors of the
 * body. The addresses of a host name are checked at every delivery.
 */
@Injectable()
export class WebhookUrlGuard implements CanActivate {
  constructor(private readonly network: GuardedNetwork) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<CallerRequest>();
    const { url } = bodyMembers(request.body);
    if (typeof url === 'string' && isClientUrl(url) && (await isClosedUrl(this.network, url))) {
      request.invalidBodyFields = [...(request.invalidBodyFields ?? []), { field: 'url', code: 'ADDRESS_NOT_ALLOWED' }];
    }
    return true;
  }
}
