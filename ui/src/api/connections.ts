import { type Connection, type Docfetch, getConnection, listConnections } from '@docfetch/sdk';

/** Requests that were sent before the view that needs them was loaded. Each is used once, because connections change. */
const early = new WeakMap<Docfetch, Map<string, Promise<unknown>>>();

/** Loads all connections of the identity. */
export const loadConnections = (client: Docfetch): Promise<readonly Connection[]> =>
  takeEarly(client, '', async () => (await listConnections({ client })).data);

export const loadConnection = (client: Docfetch, uuid: string): Promise<Connection> =>
  takeEarly(client, uuid, async () => (await getConnection({ client, path: { uuid } })).data);

/** Requests what the first view needs: one connection, or all of them. */
export function prefetchConnections(client: Docfetch, uuid: string | null): void {
  const request: Promise<unknown> = uuid === null ? loadConnections(client) : loadConnection(client, uuid);
  request.catch(() => undefined); // the view reports the error when it uses the request
  early.set(client, new Map([[uuid ?? '', request]]));
}

function takeEarly<T>(client: Docfetch, key: string, load: () => Promise<T>): Promise<T> {
  const requests = early.get(client);
  const request = requests?.get(key) as Promise<T> | undefined;
  requests?.delete(key);
  return request ?? load();
}
