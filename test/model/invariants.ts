import { totalFiltered } from '../../src/integrations/core/filter-reason';
import type { Model, ModelConnection } from './model';
import type { Observation, ObservedFetch, ObservedTransaction } from './observe';
import type { PushLog } from './push-log';

/** A worker's requests in flight to one endpoint, and the results that it may still be writing (decisions 6). */
export const MAX_UNWRITTEN = 8 + (8 + 8);

/** What a client that follows the feeds has received. */
export interface FollowedFeed {
  readonly received: ReadonlySet<string>;
  readonly repeated: readonly string[];
}

/** Everything that a settled phase shows. */
export interface Evidence extends Observation {
  readonly pushes: PushLog;
  readonly feeds: readonly FollowedFeed[];
}

/** All violated rules, one sentence each. */
export function violations(model: Model, evidence: Evidence): string[] {
  const fetches = Map.groupBy(evidence.fetches, (fetch) => fetch.connection_uuid);
  const transactions = Map.groupBy(evidence.transactions, (row) => row.connection_uuid);
  return [
    ...evidence.fetches.flatMap(countsOfFetch),
    ...evidence.transactions.flatMap((row) => delivery(model, evidence, row)),
    ...[...model.connections.values()].flatMap((connection) => [
      ...status(connection, evidence.statuses.get(connection.uuid)),
      ...documents(connection, fetches.get(connection.uuid) ?? [], transactions.get(connection.uuid) ?? []),
      ...fetchesOf(connection, fetches.get(connection.uuid) ?? []),
    ]),
    ...feeds(evidence),
    ...deletion(model, evidence),
    ...evidence.pushes.takeForbidden(),
  ];
}

/** decisions 4: every document that the source showed has exactly one outcome. */
function countsOfFetch(fetch: ObservedFetch): string[] {
  const { uuid, seen, duplicate, filtered, failed } = fetch;
  const problems: string[] = [];
  if (seen !== fetch.new + duplicate + filtered + failed) {
    problems.push(`fetch ${uuid}: ${seen} seen is not ${fetch.new} + ${duplicate} + ${filtered} + ${failed}`);
  }
  const reasons = totalFiltered(fetch.filtered_by ?? {});
  if (filtered !== reasons) problems.push(`fetch ${uuid}: ${filtered} filtered, and reasons for ${reasons}`);
  if (['QUEUED', 'RUNNING'].includes(fetch.status)) problems.push(`fetch ${uuid} is ${fetch.status} at rest`);
  return problems;
}

/** Every transaction is settled or listed as waiting, and what is delivered was answered with 200 (decisions 6). */
function delivery(model: Model, { waiting, pushes }: Evidence, row: ObservedTransaction): string[] {
  const { uuid, strategy, status: is } = row;
  const problem = (text: string) => [`transaction ${uuid} (${strategy}, ${is}) ${text}`];
  const acknowledged = model.transactions.get(uuid)?.acknowledged ?? null;
  if (acknowledged !== null) return is === acknowledged ? [] : problem(`was acknowledged as ${acknowledged}`);
  const possible = strategy === 'PUSH' ? ['PENDING', 'DELIVERED', 'FAILED'] : ['AVAILABLE'];
  if (!possible.includes(is)) return problem(`must be ${possible.join(' or ')}`);
  if ((is === 'PENDING') !== (row.due_at !== null)) return problem(`has the due time ${String(row.due_at)}`);
  if ((is === 'PENDING') !== waiting.has(uuid)) return problem('is not listed as what it is');
  if (is === 'DELIVERED' && !pushes.isAccepted(uuid)) return problem('was never answered with 200');
  return [];
}

function status(connection: ModelConnection, is: string | undefined): string[] {
  if (is !== undefined && connection.statuses.includes(is)) return [];
  return [`connection ${connection.uuid} is ${is}, not ${connection.statuses.join(' or ')}`];
}

/** One transaction per dedupe key: of the documents that may be recorded, and all that must be. */
function documents(
  connection: ModelConnection,
  fetches: readonly ObservedFetch[],
  rows: readonly ObservedTransaction[],
): string[] {
  const problem = (text: string) => `connection ${connection.uuid} ${text}`;
  const problems: string[] = [];
  const recorded = new Set(rows.map(({ key }) => key));
  if (recorded.size !== rows.length) problems.push(problem(`has ${rows.length} transactions of ${recorded.size} keys`));
  const counted = fetches.reduce((sum, fetch) => sum + fetch.new, 0);
  if (counted !== rows.length) problems.push(problem(`has ${rows.length} transactions, its fetches count ${counted}`));
  const { disabledWith } = connection;
  if (disabledWith !== null && rows.length !== disabledWith) {
    problems.push(problem(`has ${rows.length} transactions, and was disabled with ${disabledWith}`));
  }
  const known = new Map(connection.documents.map((document) => [document.key, document]));
  const wrong = [...recorded].filter((key) => (known.get(key)?.wanted ?? 'never') === 'never');
  if (wrong.length > 0) problems.push(problem(`has recorded ${wrong.join()}, which no selection includes`));
  const ended = fetches.at(-1);
  const isUpToDate = ended?.status === 'SUCCEEDED' && hasStartedAfter(ended, connection.changedAt);
  for (const { key, wanted, recorded: before } of connection.documents) {
    if (recorded.has(key)) continue;
    if (before) problems.push(problem(`has lost ${key}`));
    else if (isUpToDate && wanted === 'always') problems.push(problem(`has missed ${key}`));
  }
  return problems;
}

/** decisions 4: every accepted fetch is recorded; what one has read, later ones do not read again, and nothing is counted twice. */
function fetchesOf(connection: ModelConnection, all: readonly ObservedFetch[]): string[] {
  const { uuid, changedAt, scenario } = connection;
  const recorded = new Set(all.map((fetch) => fetch.uuid));
  const problems = connection.manualFetches
    .filter(({ fetch }) => !recorded.has(fetch))
    .map(({ fetch }) => `connection ${uuid} has no record of the accepted fetch ${fetch}`);
  const complete = all.findIndex((fetch) => fetch.status === 'SUCCEEDED' && hasStartedAfter(fetch, changedAt));
  if (complete < 0) return problems;
  for (const later of all.slice(complete + 1)) {
    const isNormal = scenario !== 'normal' || (later.seen === 0 && later.status === 'SUCCEEDED');
    if (later.new === 0 && isNormal) continue;
    problems.push(`fetch ${later.uuid} has ${later.new} new of ${later.seen} in a source that has not changed`);
  }
  // Of a source that has always worked, every document is seen once, also when workers were killed.
  if (!connection.wasChanged && all.every((fetch) => fetch.status === 'SUCCEEDED')) {
    const seen = all.reduce((sum, fetch) => sum + fetch.seen, 0);
    const { length } = connection.documents;
    if (seen !== length) problems.push(`connection ${uuid} has seen ${seen} documents of ${length}`);
  }
  return problems;
}

/** What started later has seen the change. */
const hasStartedAfter = ({ started_at }: ObservedFetch, at: number): boolean =>
  started_at !== null && started_at.getTime() > at;

/** decisions 5: a client that follows the feed sees every transaction exactly once. */
function feeds({ feeds: followed, transactions }: Evidence): string[] {
  const received = new Set(followed.flatMap((feed) => [...feed.received]));
  return [
    ...followed.flatMap(({ repeated }) => repeated.map((uuid) => `the feed repeats ${uuid}`)),
    ...transactions.filter(({ uuid }) => !received.has(uuid)).map(({ uuid }) => `the feed has left out ${uuid}`),
  ];
}

/** decisions 4: nothing of a deleted connection can be read. */
function deletion(model: Model, { remains, statuses, transactions, fetches }: Evidence): string[] {
  const listed = [...statuses.keys(), ...[...transactions, ...fetches].map((row) => row.connection_uuid)];
  const unknown = new Set(listed.filter((uuid) => !model.connections.has(uuid)));
  return [
    ...remains.map((place) => `${place} holds a uuid of something deleted`),
    ...[...unknown].map((uuid) => `connection ${uuid} is listed although it was deleted`),
  ];
}
