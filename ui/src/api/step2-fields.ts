import { type Docfetch, type Field, getStep2 } from '@docfetch/sdk';

/** The fields that came with a connection just made, so that the provider need not be asked for them twice. */
let kept: { readonly uuid: string; readonly fields: readonly Field[] } | null = null;

export function keepStep2(uuid: string, fields: readonly Field[]): void {
  kept = { uuid, fields };
}

/** Asks the provider, unless the answer has just come with the first step. */
export async function step2Fields(client: Docfetch, uuid: string): Promise<readonly Field[]> {
  const fields = kept?.uuid === uuid ? kept.fields : null;
  kept = null;
  return fields ?? (await getStep2({ client, path: { uuid } })).data.fields;
}
