import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { validate as isUuid } from 'uuid';
import type { Caller } from '../platform/http/access/access.decorator';
import type { Page } from '../platform/errors/envelope';
import { decodeCursor, DEFAULT_LIMIT, encodeCursor } from '../platform/http/input/page';
import { countConnections } from './count-connections';
import type { ListIdentitiesQuery } from './identity.dto';
import { Identity } from './identity.entity';
import { identityView, type IdentityView } from './identity.view';

/** `GET /v1/identities`: the environment's identities, oldest first. */
@Injectable()
export class ListIdentities {
  constructor(private readonly em: EntityManager) {}

  async list(caller: Caller, query: ListIdentitiesQuery): Promise<Page<IdentityView>> {
    const limit = query.limit ?? DEFAULT_LIMIT;
    const after = query.cursor
      ? decodeCursor<[string]>(query.cursor, ([uuid, ...rest]) => isUuid(uuid) && rest.length === 0)[0]
      : null;
    const rows = await this.em.find(
      Identity,
      {
        environmentUuid: caller.environmentUuid,
        $and: [
          ...(caller.identityUuid ? [{ uuid: caller.identityUuid }] : []),
          ...(query.client_identifier !== undefined ? [{ clientIdentifier: query.client_identifier }] : []),
          ...(after ? [{ uuid: { $gt: after } }] : []),
        ],
      },
      { orderBy: { uuid: 'asc' }, limit: limit + 1 },
    );
    const page = rows.slice(0, limit);
    const counts = await countConnections(
      this.em,
      page.map((identity) => identity.uuid),
    );
    const hasMore = rows.length > limit;
    return {
      data: page.map((identity) => identityView(identity, counts(identity.uuid))),
      meta: { next_cursor: hasMore ? encodeCursor([page.at(-1)!.uuid]) : null, has_more: hasMore },
    };
  }
}
