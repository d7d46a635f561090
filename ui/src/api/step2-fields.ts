import { type Docfetch, type Field, getStep2 } from '@docfetch/sdk';

/** The fields that came with a connection just made, so that the provider need not be asked for them twice. */
let cached: { readonly uuid: string; readonly fields: readonly Field[] } | null = null;

export function cacheStep2Fields(uuid: string, fields: readonly Field[]): void {
  cached = { uuid, fields };
}

/** Asks the provider, unless the answer has just come with the first step. */
export async function loadStep2Fields(client: Docfetch, uuid: string): Promise<readonly Field[]> {
  const fields = cached?.uuid === uuid ? cached.fields : null;
  cached = null;
  return fields ?? (await getStep2({ client, path: { uuid } })).data.fields;
}
