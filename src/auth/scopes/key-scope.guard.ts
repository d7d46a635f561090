import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { forbidden } from '../../platform/errors/errors';
import type { CallerRequest } from '../../platform/http/access/access.decorator';
import { requiredScopes } from './required-scopes';

/** Where `@ApiOperation` keeps its options; @nestjs/swagger does not export the name. */
const API_OPERATION = 'swagger/apiOperation';

/** Permits a request only if the API key behind its credentials has the scopes that the operation requires (decisions 3). */
@Injectable()
export class KeyScopeGuard implements CanActivate {
  constructor(private readonly reflector: Reflector) {}

  canActivate(context: ExecutionContext): boolean {
    const scopes = context.switchToHttp().getRequest<CallerRequest>().caller?.scopes;
    if (scopes == null) return true;
    const operation = this.reflector.get<{ operationId?: string } | undefined>(API_OPERATION, context.getHandler());
    const required = requiredScopes(operation?.operationId ?? '');
    // Only a key with all scopes may use an operation that is not in the table.
    if (!required) throw new Error(`required-scopes.ts does not list ${context.getHandler().name}.`);
    const missing = required.find((scope) => !scopes.includes(scope));
    if (missing) throw forbidden('KEY_SCOPE_MISSING', { params: { scope: missing } });
    return true;
  }
}
