import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import type { CallerRequest } from './access.decorator';
import { assertWholeEnvironment } from './token-scope';

/** For lists and settings of the whole environment: 403 `NOT_ALLOWED_BY_TOKEN` if a UI token is sent with the key. */
@Injectable()
export class EnvironmentKeyGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    assertWholeEnvironment(context.switchToHttp().getRequest<CallerRequest>().caller!);
    return true;
  }
}
