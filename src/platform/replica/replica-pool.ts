// cspell:ignore PostgresDialect dialect
import { type EntityManager, PostgreSqlConnection } from '@mikro-orm/postgresql';
import { Kysely, PostgresDialect, type PostgresPoolClient } from 'kysely';
import type { PoolClient, QueryResult } from 'pg';
import { parse } from 'pg-connection-string';
import { createReusedBufferSocket } from '../buffers/reused-buffer-socket';
import { withTimeout } from '../concurrency/cancellation';
import type { Settings } from '../config/settings';
import { IDLE_IN_TRANSACTION_MS } from '../database/guard-transactions';
import { disableNamedStatements, type Pool } from '../database/prepared-statement';
import { readBytesOf } from '../database/read-bytes';

/** If the replica cannot be reached, or does not answer at the begin of a transaction, the primary answers after this time. */
const BEGIN_TIMEOUT_MS = 1_000;
/** The same for a statement: counting a million connections takes a few seconds. */
const QUERY_TIMEOUT_MS = 30_000;

/** In this isolation level, every statement sees what has been replayed when it begins: at least the position that was read before. */
const BEGIN = `begin isolation level read committed read only; select pg_is_in_recovery() as "isStandby",
  (pg_last_wal_replay_lsn() - '0/0'::pg_lsn)::text as replayed, extract(epoch from pg_last_xact_replay_timestamp())::text as at`;

const CLUSTER = `select (select system_identifier from pg_control_system()) || '/' || current_database() as cluster`;

/** Where the replica is, at the begin of a transaction. */
export interface ReplicaState {
  /** False once it has been promoted. */
  readonly isStandby: boolean;
  /** Bytes of the write-ahead log. */
  readonly replayed: bigint;
  /** When the last transaction that it has replayed was committed, in seconds since 1970 by the clock of the primary; null: none yet. */
  readonly committedAt: number | null;
}

/** A read-only transaction on the replica. */
export interface ReplicaTransaction {
  readonly state: ReplicaState;
  /** Runs every statement in the transaction. */
  readonly em: EntityManager;
  end(): Promise<void>;
  /** Closes the connection, on which a response may be incomplete. */
  abandon(): void;
}

/** The message of the error when the replica takes too long. Classes of errors do not pass the ORM. */
export const NO_ANSWER = 'The replica does not answer.';

const within = <T>(ms: number, answer: Promise<T>): Promise<T> =>
  withTimeout(
    ms,
    () => new Error(NO_ANSWER),
    () => answer,
  );

/** The replica is a standby of another database. */
export class ForeignReplica extends Error {}

/** The connections to the replica. They are opened when they are used, so that the service starts without it. */
export class ReplicaPool {
  private readonly connection: PostgreSqlConnection;
  private readonly clients = new WeakMap<PoolClient, Kysely<unknown>>();
  private cluster: Promise<string> | undefined;

  constructor(
    private readonly em: EntityManager,
    { databaseReplicaUrl, databasePool, databasePooler }: Settings,
  ) {
    const options = {
      clientUrl: databaseReplicaUrl!,
      pool: { min: 0, max: databasePool, idleTimeoutMillis: 30_000 },
      driverOptions: {
        application_name: 'docfetch',
        connectionTimeoutMillis: BEGIN_TIMEOUT_MS,
        stream: () => createReusedBufferSocket(),
        ssl: parse(databaseReplicaUrl!).ssl,
        ...(databasePooler ? {} : { idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_MS }),
        onPoolCreated: (pool: Pool) => {
          if (databasePooler === 'transaction') disableNamedStatements(pool);
        },
      },
    };
    this.connection = new PostgreSqlConnection(em.config, options, 'read');
  }

  /** @throws ForeignReplica; the driver's error */
  async begin(): Promise<ReplicaTransaction> {
    const client = await (await this.pool()).connect();
    try {
      const database = this.clients.get(client) ?? (await this.verified(client));
      // One message; its results are those of `begin` and `select`.
      const results = (await within(BEGIN_TIMEOUT_MS, client.query(BEGIN))) as unknown as QueryResult[];
      const [row] = results.at(-1)!.rows as { isStandby: boolean; replayed: string | null; at: string | null }[];
      const { isStandby, replayed, at } = row!;
      const em = this.em.fork({ disableContextResolution: true });
      em.setTransactionContext(database);
      return {
        state: { isStandby, replayed: BigInt(replayed ?? 0), committedAt: at === null ? null : Number(at) },
        em,
        end: async () => {
          const ended: unknown = await within(BEGIN_TIMEOUT_MS, client.query('commit')).catch(
            (error: unknown) => error,
          );
          client.release(ended instanceof Error);
        },
        abandon: () => client.release(true),
      };
    } catch (error) {
      client.release(true);
      throw error;
    }
  }

  /** Like `readBytes`, outside of a transaction. */
  async readBytes(text: string, parameters: readonly string[], memory: Buffer): Promise<Buffer | null> {
    const limited = (done: Promise<void>) => within(QUERY_TIMEOUT_MS, done);
    return readBytesOf(await this.pool(), text, parameters, memory, limited);
  }

  /** Kysely ends only a pool that it has used itself. */
  async close(): Promise<void> {
    await (await this.pool()).end();
  }

  private pool(): Promise<Pool> {
    return this.connection.getNativeClient();
  }

  /** The database of a new connection, after it was compared with the primary: behind one address can be several servers. */
  private async verified(client: PoolClient): Promise<Kysely<unknown>> {
    this.cluster ??= this.readCluster();
    const expected = await this.cluster.catch((error: unknown) => {
      this.cluster = undefined;
      throw error;
    });
    const { rows } = await within(BEGIN_TIMEOUT_MS, client.query<{ cluster: string }>(CLUSTER));
    if (rows[0]!.cluster !== expected) throw new ForeignReplica();
    const query = client.query.bind(client) as (...given: unknown[]) => Promise<unknown>;
    const one: PostgresPoolClient = {
      query: ((...given: unknown[]) => within(QUERY_TIMEOUT_MS, query(...given))) as PostgresPoolClient['query'],
      release: () => undefined, // by `end` or `abandon`
    };
    const database = new Kysely<unknown>({
      dialect: new PostgresDialect({
        pool: { options: {}, connect: () => Promise.resolve(one), end: () => Promise.resolve() },
      }),
    });
    this.clients.set(client, database);
    return database;
  }

  private async readCluster(): Promise<string> {
    const primary = await this.em.getConnection().getNativeClient();
    return (await primary.query<{ cluster: string }>(CLUSTER)).rows[0]!.cluster;
  }
}
