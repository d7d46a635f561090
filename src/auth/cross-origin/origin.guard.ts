import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { Settings } from '../../platform/config/settings';
import type { CallerRequest } from '../../platform/http/access/access.decorator';
import { forbidden } from '../../platform/errors/errors';
import { crossOriginOf, type CrossOriginRequest } from './cross-origin';

/**
 * Rejects requests of web pages whose origin is not allowed (decisions 1), before the body is read. It runs after authentication
 * and rate limits, so that rejected requests are counted.
 */
@Injectable()
export class OriginGuard implements CanActivate {
  constructor(private readonly settings: Settings) {}

  /**
   * @throws ApiError 403 `API_KEY_IN_BROWSER` when an API key was sent; `ORIGIN_NOT_ALLOWED` when the environment of the UI
   * token does not allow the origin, and always for a session of the console
   */
  canActivate(context: ExecutionContext): boolean {
    const request = context.switchToHttp().getRequest<CallerRequest & CrossOriginRequest>();
    const { caller, allowedBy } = request;
    if (caller === undefined || crossOriginOf(request, this.settings.publicUrl) === null) return true;
    if (request.headers['x-api-key'] !== undefined) throw forbidden('API_KEY_IN_BROWSER');
    if (caller.session || !allowedBy?.has(caller.environmentUuid)) throw forbidden('ORIGIN_NOT_ALLOWED');
    return true;
  }
}
