import type { Conditions } from '../../database/conditions';
import { forbidden } from '../../errors/errors';
import type { Caller } from './access.decorator';

/** The connection or integration to which a UI token is restricted (decisions 3). */
export type TokenScope = Pick<Caller, 'onlyConnectionUuid' | 'onlyIntegrationId'>;

/**
 * What a request is about. A null member means that it is not about one connection or integration only, which a token
 * restricted to one does not permit; a missing member is not checked.
 */
export interface ScopeTarget {
  readonly connectionUuid?: string | null;
  readonly integrationId?: string | null;
}

/** decisions 3: whether a restricted token permits a request. This is the only place with the rule for one resource. */
export function isWithinTokenScope(scope: TokenScope, { connectionUuid, integrationId }: ScopeTarget): boolean {
  return permits(scope.onlyConnectionUuid, connectionUuid) && permits(scope.onlyIntegrationId, integrationId);
}

const permits = (only: string | null, target: string | null | undefined) =>
  only === null || target === undefined || target === only;

/** @throws ApiError 403 `NOT_ALLOWED_BY_TOKEN` */
export function assertWithinTokenScope(scope: TokenScope, target: ScopeTarget): void {
  if (!isWithinTokenScope(scope, target)) throw forbidden('NOT_ALLOWED_BY_TOKEN');
}

/** The same rule for a list: adds the conditions on the columns that contain the connection and the integration. */
export function whereWithinTokenScope(
  conditions: Conditions,
  scope: TokenScope,
  columns: { readonly connection: string; readonly integration: string },
): Conditions {
  return conditions
    .and(`${columns.connection} = ?`, scope.onlyConnectionUuid)
    .and(`${columns.integration} = ?`, scope.onlyIntegrationId);
}

/**
 * The same rule for criteria that are stored and applied later: the connection, if the request names one, and the integration
 * to which they are limited. The caller has checked that the token permits the named connection.
 */
export function criteriaWithinTokenScope(
  { onlyConnectionUuid, onlyIntegrationId }: TokenScope,
  connectionUuid: string | null | undefined,
): { readonly connectionUuid: string | null; readonly integrationId: string | null } {
  return { connectionUuid: connectionUuid ?? onlyConnectionUuid, integrationId: onlyIntegrationId };
}

/** For what belongs to the whole environment. @throws ApiError 403 if a UI token, which is limited to one identity, was sent */
export function assertWholeEnvironment({ identityUuid }: Pick<Caller, 'identityUuid'>): void {
  if (identityUuid !== null) throw forbidden('NOT_ALLOWED_BY_TOKEN');
}
