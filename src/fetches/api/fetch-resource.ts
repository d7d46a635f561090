import { connectionOwner } from '../../connections/access/connection-resource';
import { readConnections } from '../../connections/state/read-connections';
import { defineResource } from '../../platform/http/access/resource';
import { Fetch } from '../history/fetch.entity';

/** A fetch belongs to the owner of its connection. */
export const FETCH = defineResource({
  parameter: { name: 'uuid', description: 'The fetch.' },
  notFound: 'FETCH_NOT_FOUND',
  notYours: 'NOT_YOUR_CONNECTION',
  belongsTo: 'connection',
  find: (em, uuid) => em.findOne(Fetch, uuid),
  ownerOf: async ({ connectionUuid }: Fetch, em) => {
    const [connection] = await readConnections(em, 'where uuid = $1', [connectionUuid]);
    return connection && connectionOwner(connection);
  },
});
