import { Injectable } from '@nestjs/common';
import type { Caller } from '../platform/http/access/access.decorator';
import type { Page } from '../platform/errors/envelope';
import { DEFAULT_LIMIT, pageOf, uuidCursor } from '../platform/http/input/page';
import { ReadReplica } from '../platform/replica/read-replica';
import { countConnections } from './count-connections';
import type { ListIdentitiesQuery } from './identity.dto';
import { Identity } from './identity.entity';
import { identityView, type IdentityView } from './identity.view';

/** `GET /v1/identities`: the environment's identities, oldest first. */
@Injectable()
export class ListIdentities {
  constructor(private readonly replica: ReadReplica) {}

  async list(caller: Caller, query: ListIdentitiesQuery): Promise<Page<IdentityView>> {
    const limit = query.limit ?? DEFAULT_LIMIT;
    const after = uuidCursor(query);
    const { page, meta, counts } = await this.replica.read(async (em) => {
      const rows = await em.find(
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
      const paged = pageOf(rows, limit);
      const uuids = paged.page.map(({ uuid }) => uuid);
      return { ...paged, counts: await countConnections(em, uuids) };
    });
    return {
      data: page.map((identity) => identityView(identity, counts(identity.uuid))),
      meta,
    };
  }
}
