import { EntityManager } from '@mikro-orm/postgresql';
import { type CanActivate, createParamDecorator, type ExecutionContext, Injectable } from '@nestjs/common';
import { validate as isUuid } from 'uuid';
import { assertOwnConnection } from '../../connections/access/own-connection.guard';
import { readConnections } from '../../connections/state/read-connections';
import type { CallerRequest } from '../../platform/http/access/access.decorator';
import type { ErrorCode } from '../../platform/errors/error-codes';
import { invalid, notFound } from '../../platform/errors/errors';
import { Fetch } from '../history/fetch.entity';

interface FetchRequest extends CallerRequest {
  ownFetch?: Fetch;
}

/** The only place that answers 422, 404 and 403 for a fetch in the path (decisions 2): a fetch belongs to the owner of its connection. */
@Injectable()
export class OwnFetchGuard implements CanActivate {
  constructor(private readonly em: EntityManager) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<FetchRequest>();
    const uuid = request.params.uuid as string;
    if (!isUuid(uuid)) throw invalid([{ field: 'uuid', code: 'INVALID_UUID' }]);
    const fetch = await this.em.findOne(Fetch, uuid);
    const [connection] = fetch ? await readConnections(this.em, 'where uuid = $1', [fetch.connectionUuid]) : [];
    if (!fetch || !connection) throw notFound('FETCH_NOT_FOUND');
    assertOwnConnection(request.caller!, connection);
    request.ownFetch = fetch;
    return true;
  }
}

/** The fetch of the path, after the permission check. Requires {@link OwnFetchGuard}. */
export const OwnFetch = createParamDecorator((_: unknown, context: ExecutionContext): Fetch => {
  return context.switchToHttp().getRequest<FetchRequest>().ownFetch!;
});

/** The errors of {@link OwnFetchGuard}, for `@ApiErrors`. */
export const NOT_OWN_FETCH: readonly ErrorCode[] = [
  'VALIDATION_FAILED',
  'NOT_YOUR_CONNECTION',
  'NOT_ALLOWED_BY_TOKEN',
  'FETCH_NOT_FOUND',
];
