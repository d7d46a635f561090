import { type Docfetch, DocfetchError, getIntegration, type Integration, listIntegrations } from '@docfetch/sdk';

const listCache = new WeakMap<Docfetch, Promise<readonly Integration[]>>();
const detailCache = new WeakMap<Docfetch, Map<string, Promise<Integration | null>>>();

/** Loads all integrations once per session and language. A failed request is not cached. */
export function loadIntegrations(client: Docfetch): Promise<readonly Integration[]> {
  let request = listCache.get(client);
  if (!request) {
    request = listIntegrations({ client }).then(({ data }) => data);
    request.catch(() => listCache.delete(client));
    listCache.set(client, request);
  }
  return request;
}

/** Loads one integration, from the list if that was requested before. Null if the integration no longer exists. */
export async function loadIntegration(client: Docfetch, id: string): Promise<Integration | null> {
  const list = listCache.get(client);
  if (list) return (await list).find((candidate) => candidate.integration_id === id) ?? null;
  const requests = detailCache.get(client) ?? new Map<string, Promise<Integration | null>>();
  detailCache.set(client, requests);
  let request = requests.get(id);
  if (!request) {
    request = getIntegration({ client, path: { integration_id: id } }).then(({ data }) => data, nullIfNotFound);
    request.catch(() => requests.delete(id));
    requests.set(id, request);
  }
  return request;
}

function nullIfNotFound(error: unknown): null {
  if (error instanceof DocfetchError && error.status === 404) return null;
  throw error;
}
