import {
  type Docfetch,
  DocfetchError,
  getIntegration,
  type Integration,
  type IntegrationSummary,
  listIntegrations,
} from '@docfetch/sdk';

const listCache = new WeakMap<Docfetch, Promise<readonly IntegrationSummary[]>>();
const detailCache = new WeakMap<Docfetch, Map<string, Promise<Integration | null>>>();

/** Loads all integrations, without their fields, once per session and language. A failed request is not cached. */
export function loadIntegrations(client: Docfetch): Promise<readonly IntegrationSummary[]> {
  let request = listCache.get(client);
  if (!request) {
    request = listIntegrations({ client }).then(({ data }) => data);
    request.catch(() => listCache.delete(client));
    listCache.set(client, request);
  }
  return request;
}

/** Loads one integration with its fields, once. Null if it no longer exists. */
export async function loadIntegration(client: Docfetch, id: string): Promise<Integration | null> {
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
