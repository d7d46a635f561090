import { DocumentUnavailable, UnexpectedResponse } from '../../core/source-errors';
import type { CompiledStream } from '../compile/streams';
import type { Listing } from './listing';
import type { ProviderClient, Variables } from './provider-client';
import { type Child, idOf } from './references';
import type { NotReady } from './waiting-records';
import { textOf } from '../language/expressions/evaluate';

/** One record as it is now. @throws DocumentUnavailable when the provider no longer has it, and as `ProviderClient.ask` */
export async function readRecord(
  client: ProviderClient,
  stream: CompiledStream,
  id: string,
  variables: Variables,
): Promise<unknown> {
  const { request, item } = stream.record!;
  const { body } = await client.ask(request, client.scope(null, { ...variables, id }), 'document');
  const record = item ? item(client.scope(body, variables)) : body;
  if (record !== undefined && record !== null && typeof record === 'object') return record;
  throw new UnexpectedResponse(`${client.provider.label} answers without a record of "${stream.name}".`);
}

/** The same; null when the provider no longer has it, undefined when it does not return it at present. */
export async function currentRecord(
  client: ProviderClient,
  stream: CompiledStream,
  id: string,
  variables: Variables,
): Promise<unknown> {
  try {
    return await readRecord(client, stream, id, variables);
  } catch (error) {
    if (error instanceof DocumentUnavailable) return error.permanent ? null : undefined;
    throw error;
  }
}

/**
 * The records of a list that contains their ids only. Those that the provider does not return at present are added to `waiting`;
 * strategies without it list them again.
 */
export async function completed(
  listing: Listing,
  stubs: readonly unknown[],
  waiting?: NotReady,
): Promise<readonly unknown[]> {
  const { client, stream, variables } = listing;
  const { details } = stream;
  const records: unknown[] = [];
  if (details === 'each') {
    for (const stub of stubs) {
      const record = await currentRecord(client, stream, idOf(client, stream, stub), variables);
      if (record === undefined) waiting?.add(stub);
      else if (record !== null) records.push(record);
    }
    return records;
  }
  const ids = stubs.map((stub) => idOf(client, stream, stub));
  for (let at = 0; at < ids.length; at += details!.size) {
    const scope = client.scope(null, { ...variables, ids: ids.slice(at, at + details!.size) });
    const { body } = await client.ask(details!.request, scope);
    records.push(...listAt(client, stream, details!.items({ ...scope, record: body })));
  }
  return records;
}

/** The children of a record: in the record itself, or in the answer to a request. */
export async function childrenOf({ client, stream, variables }: Listing, record: unknown): Promise<readonly Child[]> {
  const { request, items, id, filename, when, eInvoice } = stream.children!;
  const scope = client.scope(record, { ...variables, id: idOf(client, stream, record) });
  const source = request ? (await client.ask(request, scope)).body : record;
  const found = items({ ...scope, record: source });
  if (found === undefined) return [];
  // Some records name their only file.
  const isOne = typeof found === 'string' || typeof found === 'number';
  return listAt(client, stream, isOne ? [found] : found).flatMap((child): Child[] => {
    const own = { ...scope, record: child };
    if (when && !when(own)) return [];
    const name = filename?.(own);
    const childId = id(own);
    if (childId === undefined)
      throw new UnexpectedResponse(`${client.provider.label} lists a file of "${stream.name}" without an id.`);
    const isEInvoice = eInvoice?.(own) ?? false;
    return [{ id: textOf(childId), filename: name === undefined ? undefined : textOf(name), isEInvoice }];
  });
}

function listAt(client: ProviderClient, stream: CompiledStream, value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value as unknown[];
  throw new UnexpectedResponse(`${client.provider.label} answers without the records of "${stream.name}".`);
}
