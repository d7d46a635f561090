import { defineResource } from '../../platform/http/access/resource';
import type { ConnectionRecord } from '../state/connection-record';
import { readConnections } from '../state/read-connections';

type OwnedConnection = Pick<ConnectionRecord, 'uuid' | 'environmentUuid' | 'identityUuid' | 'integrationId'>;

export const connectionOwner = ({ uuid, environmentUuid, identityUuid, integrationId }: OwnedConnection) => ({
  environmentUuid,
  identityUuid,
  connectionUuid: uuid,
  integrationId,
});

export const CONNECTION = defineResource({
  parameter: { name: 'uuid', description: 'The connection.' },
  notFound: 'CONNECTION_NOT_FOUND',
  notYours: 'NOT_YOUR_CONNECTION',
  belongsTo: 'connection',
  find: async (em, uuid) => (await readConnections(em, 'where uuid = $1', [uuid]))[0],
  ownerOf: (connection: ConnectionRecord) => connectionOwner(connection),
});
