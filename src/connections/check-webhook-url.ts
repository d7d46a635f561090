import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { isIP } from 'node:net';
import type { CallerRequest } from '../platform/http/access';
import { bodyMembers } from '../platform/http/json-body';
import { GuardedNetwork } from '../platform/network/guarded-network';
import { isAddressNotAllowed } from '../platform/network/network';
import { isWebhookUrl } from './webhook-url';

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
    if (typeof url === 'string' && isWebhookUrl(url) && (await this.isClosed(url))) {
      request.faultsInBody = [...(request.faultsInBody ?? []), { field: 'url', code: 'ADDRESS_NOT_ALLOWED' }];
    }
    return true;
  }

  private async isClosed(url: string): Promise<boolean> {
    const host = new URL(url).hostname.replace(/^\[|\]$/g, '');
    if (isIP(host) === 0) return false;
    try {
      await this.network.resolve(host);
      return false;
    } catch (error) {
      if (isAddressNotAllowed(error)) return true;
      throw error;
    }
  }
}
