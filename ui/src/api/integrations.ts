import { type Docfetch, type Integration, listIntegrations } from '@docfetch/sdk';

const known = new WeakMap<Docfetch, Promise<readonly Integration[]>>();

/** All integrations, asked for once per session and language; a failure is forgotten. */
export function integrations(client: Docfetch): Promise<readonly Integration[]> {
  let asked = known.get(client);
  if (!asked) {
    asked = listIntegrations({ client }).then(({ data }) => data);
    asked.catch(() => known.delete(client));
    known.set(client, asked);
  }
  return asked;
}

/** Null when it is not in the catalogue any more. */
export async function integration(client: Docfetch, id: string): Promise<Integration | null> {
  return (await integrations(client)).find((candidate) => candidate.integration_id === id) ?? null;
}
