import type { EntityManager } from '@mikro-orm/postgresql';
import { prepared } from '../database/sql';
import { ALL_ENVIRONMENTS, notePositionNow } from '../database/write-position';
import type { ReplicaState } from './replica-pool';

/** What the primary says about the replica: how far it has to be. Positions are bytes of the write-ahead log. */
export interface RequiredPosition {
  /** What has been written in the environment or told to its client; null when it is not known. */
  readonly written: bigint | null;
  readonly flushed: bigint;
  /** Seconds since 1970. */
  readonly now: number;
}

interface Row {
  readonly written: string | null;
  readonly known: boolean;
  readonly flushed: string;
  readonly now: string;
}

const POSITIONS = `
  select max(position - '0/0'::pg_lsn)::text as written, coalesce(bool_or(environment_uuid = $2), false) as known,
    (pg_current_wal_flush_lsn() - '0/0'::pg_lsn)::text as flushed, extract(epoch from clock_timestamp())::text as now
  from write_position where environment_uuid in ($1, $2)`;

/**
 * Reads the position that a replica has to have replayed before it answers for the environment. After a crash of the primary, and after
 * another server has become the primary, the table is empty: it begins again with the position of that moment, for all environments.
 */
export async function readRequiredPosition(em: EntityManager, environmentUuid: string): Promise<RequiredPosition> {
  const [row] = await prepared<Row>(em, POSITIONS, [environmentUuid, ALL_ENVIRONMENTS]);
  const { written, known, flushed, now } = row!;
  if (!known) await notePositionNow(em, ALL_ENVIRONMENTS);
  return { written: known ? BigInt(written!) : null, flushed: BigInt(flushed), now: Number(now) };
}

/** Why the replica must not answer; null when it may. */
export type Unfit = 'promoted' | 'written' | 'behind';

/** The time of its last transaction says how old its data is, unless it has replayed everything: then nothing has been committed since. */
export function unfitnessOf(state: ReplicaState, required: RequiredPosition, maxLagSeconds: number): Unfit | null {
  if (!state.isStandby) return 'promoted';
  if (required.written === null || state.replayed < required.written) return 'written';
  if (state.replayed >= required.flushed) return null;
  return state.committedAt !== null && state.committedAt >= required.now - maxLagSeconds ? null : 'behind';
}

/** SQL: that the server is a standby and not too far behind, with the parameters of {@link freshParameters} from `$<first>` on. */
export const isFresh = (first: number): string =>
  `pg_is_in_recovery() and (pg_last_wal_replay_lsn() - '0/0'::pg_lsn >= $${first}::numeric
     or pg_last_xact_replay_timestamp() >= to_timestamp($${first + 1}::float8))`;

export const freshParameters = ({ flushed, now }: RequiredPosition, maxLagSeconds: number): string[] => [
  String(flushed),
  String(now - maxLagSeconds),
];
