import type { DocumentRef } from '../../core/source-document';
import { instantOf } from '../language/expressions/instants';
import type { CompiledStream } from '../compile/streams';
import type { ProviderClient, Variables } from './provider-client';
import { childrenOf, completed } from './details';
import { dedupeKeyOf, idOf, keyOf, referencesOf } from './references';
import type { NotReady } from './waiting-records';

/** The progress of a stream. Every strategy adds its own members. */
export type Progress = {
  /** The selection that it belongs to; another one starts from the beginning. */
  readonly choice: string;
};

/** One stream, or one part of it, during one listing. */
export interface Listing {
  readonly client: ProviderClient;
  readonly stream: CompiledStream;
  readonly kinds: readonly string[];
  /** The value of the choice that it is listed for. */
  readonly part: string | undefined;
  readonly variables: Variables;
  readonly choice: string;
  readonly startdate: string | null;
  /** The start of that day in seconds; undefined without one. */
  readonly start: number | undefined;
}

/** The new documents of a page and the progress after it. */
export interface Listed<P extends Progress> {
  readonly documents: readonly DocumentRef[];
  readonly progress: P;
}

/**
 * The references to the documents of records that are new: issued, of the selected kinds, in time and not known yet. Records that are
 * not ready, or that the provider does not return at present, are added to `waiting`.
 */
export async function newDocuments(
  listing: Listing,
  records: readonly unknown[],
  waiting?: NotReady,
): Promise<readonly DocumentRef[]> {
  const { client, stream, part, variables } = listing;
  const whole = stream.details ? await completed(listing, await unknownOnly(listing, records), waiting) : records;
  const wanted = whole.filter((record) => isWanted(listing, record, waiting));
  const references: DocumentRef[] = [];
  for (const record of wanted) {
    const children = stream.children && (await childrenOf(listing, record));
    references.push(...referencesOf(client, stream, record, part, variables, children));
  }
  return withoutKnown(listing, references);
}

/** Whether a record is ready, and a document that the user wants. */
function isWanted({ client, stream, kinds, ...listing }: Listing, record: unknown, waiting?: NotReady): boolean {
  const scope = client.scope(record, listing.variables);
  if (stream.skip?.(scope)) return false;
  if (stream.ready && !stream.ready(scope)) {
    waiting?.add(record);
    return false;
  }
  waiting?.forget(idOf(client, stream, record));
  const kind = stream.kind ?? stream.typeOf(scope) ?? 'document';
  return kinds.includes(kind) && isInTime(stream, listing, scope);
}

/** Whether one of the times when it was issued is on or after the start date. A record without such a time, or only with implausible ones, is in time. */
function isInTime(
  { issued }: CompiledStream,
  { startdate, start = 0 }: Pick<Listing, 'startdate' | 'start'>,
  scope: ReturnType<ProviderClient['scope']>,
): boolean {
  if (startdate === null) return true;
  const times = issued.map((each) => each(scope)).filter((time) => instantOf(time, scope.zone) !== undefined);
  return times.length === 0 || times.some((time) => isOnOrAfter(time, startdate, start, scope.zone));
}

function isOnOrAfter(time: unknown, startdate: string, start: number, zone: string): boolean {
  if (typeof time === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(time)) return time >= startdate;
  return (instantOf(time, zone) ?? 0) >= start;
}

/** For lists of ids: those whose document is not known, by the key that needs nothing else. */
async function unknownOnly(listing: Listing, records: readonly unknown[]): Promise<readonly unknown[]> {
  const { client, stream, part } = listing;
  if (!stream.stable || stream.documents.length > 1 || stream.children) return records;
  const keys = records.map((record) => dedupeKeyOf(keyOf(client, stream, idOf(client, stream, record)), part));
  const known = records.length === 0 ? new Set() : await client.session.findKnown(keys);
  return records.filter((_, at) => !known.has(keys[at]!));
}

async function withoutKnown({ client }: Listing, references: readonly DocumentRef[]): Promise<readonly DocumentRef[]> {
  if (references.length === 0) return references;
  const known = await client.session.findKnown(references.map(({ dedupeKey }) => dedupeKey));
  return references.filter(({ dedupeKey }) => !known.has(dedupeKey));
}
