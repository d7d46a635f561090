import { type Docfetch, type Field, getStep2 } from '@docfetch/sdk';

/** The step 2 fields from the response that created the connection: saves a second request to the provider. */
let cached: { readonly uuid: string; readonly fields: readonly Field[] } | null = null;

export function cacheStep2Fields(uuid: string, fields: readonly Field[]): void {
  cached = { uuid, fields };
}

/** Loads the step 2 fields, unless the response of step 1 contained them. */
export async function loadStep2Fields(client: Docfetch, uuid: string): Promise<readonly Field[]> {
  const fields = cached?.uuid === uuid ? cached.fields : null;
  cached = null;
  return fields ?? (await getStep2({ client, path: { uuid } })).data.fields;
}
