import { type Docfetch, DocfetchError, getIntegration, type Integration, listIntegrations } from '@docfetch/sdk';

const catalogues = new WeakMap<Docfetch, Promise<readonly Integration[]>>();
const single = new WeakMap<Docfetch, Map<string, Promise<Integration | null>>>();

/** All integrations, asked for once per session and language; a failure is forgotten. */
export function integrations(client: Docfetch): Promise<readonly Integration[]> {
  let asked = catalogues.get(client);
  if (!asked) {
    asked = listIntegrations({ client }).then(({ data }) => data);
    asked.catch(() => catalogues.delete(client));
    catalogues.set(client, asked);
  }
  return asked;
}

/** One of them, asked for alone when nobody has asked for all. Null when it is not in the catalogue any more. */
export async function integration(client: Docfetch, id: string): Promise<Integration | null> {
  const catalogue = catalogues.get(client);
  if (catalogue) return (await catalogue).find((candidate) => candidate.integration_id === id) ?? null;
  const known = single.get(client) ?? new Map<string, Promise<Integration | null>>();
  single.set(client, known);
  let asked = known.get(id);
  if (!asked) {
    asked = getIntegration({ client, path: { integration_id: id } }).then(({ data }) => data, noneWhenUnknown);
    asked.catch(() => known.delete(id));
    known.set(id, asked);
  }
  return asked;
}

function noneWhenUnknown(error: unknown): null {
  if (error instanceof DocfetchError && error.status === 404) return null;
  throw error;
}
