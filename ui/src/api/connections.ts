import { type Connection, type Docfetch, getConnection, listConnections } from '@docfetch/sdk';

/** Loads all connections of the identity. */
export const loadConnections = async (client: Docfetch): Promise<readonly Connection[]> =>
  (await listConnections({ client })).data;

export const loadConnection = async (client: Docfetch, uuid: string): Promise<Connection> =>
  (await getConnection({ client, path: { uuid } })).data;
