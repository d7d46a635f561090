import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import type { Counter } from 'prom-client';
import { isDatabaseUnavailable } from '../availability/database-unavailable';
import { Settings } from '../config/settings';
import { ALL_ENVIRONMENTS } from '../database/write-position';
import { ApiError } from '../errors/errors';
import { Metrics } from '../metrics/metrics';
import { RequestScope } from '../request/request-scope';
import { ForeignReplica, NO_ANSWER, ReplicaPool, type ReplicaTransaction } from './replica-pool';
import { freshParameters, isFresh, readRequiredPosition, type Unfit, unfitnessOf } from './required-position';

/** A replica that does not answer is asked again after this time. */
const PAUSE_MS = 5_000;

/** How a read ended that the replica could have served: it did (`replica`), or why the primary did. */
type Result = 'replica' | Unfit | 'unavailable' | 'refused' | 'failed';

/** Reads one `bytea` of one row that a fixed statement with a condition finds; null: the primary has to be asked. */
export type ReadReplicaBytes = (text: string, parameters: readonly string[], memory: Buffer) => Promise<Buffer | null>;

/**
 * The streaming standby of `DATABASE_REPLICA_URL` (ADR 33). A use case states which of its reads it may serve; everything else is asked of
 * the primary, above all credentials, access, existence and limits. It answers for an environment only what cannot be older than any write
 * of the environment that was confirmed to anybody, and any change that a worker has told its client. In all other cases, and when
 * it fails, the primary answers.
 */
@Injectable()
export class ReadReplica implements OnApplicationShutdown {
  private readonly logger = new Logger(ReadReplica.name);
  private readonly pool: ReplicaPool | null;
  private readonly maxLagSeconds: number;
  private readonly reads: Counter<'result'>;
  /** When it is asked again; 0 while it is available. */
  private awayUntil = 0;

  constructor(
    private readonly em: EntityManager,
    settings: Settings,
    metrics: Metrics,
  ) {
    this.pool = settings.databaseReplicaUrl === null ? null : new ReplicaPool(em, settings);
    this.maxLagSeconds = settings.databaseReplicaMaxLagSeconds;
    this.reads = metrics.counter(
      'docfetch_replica_reads_total',
      'Reads that the replica of the database may serve, by result: replica, or why the primary has answered.',
      ['result'],
    );
  }

  /**
   * Runs reads in the environment of the request on the replica if it is fit for that, otherwise on the primary. `work` must only read,
   * with the entity manager that it is given; it runs again on the primary after any error. Without a request, the primary serves it.
   */
  async read<T>(work: (em: EntityManager) => Promise<T>): Promise<T> {
    const { pool } = this;
    const scope = RequestScope.get();
    if (!scope) return work(this.em.fork());
    const transaction = pool && scope.environmentUuid ? await this.begin(pool, scope.environmentUuid) : null;
    if (!transaction) return work(this.em);
    let result: T;
    try {
      result = await work(transaction.em);
    } catch (error) {
      // An answer to the caller, such as 422: the primary may decide otherwise.
      if (error instanceof ApiError) await transaction.end();
      else transaction.abandon();
      this.failed(error);
      return work(this.em.fork());
    }
    await transaction.end();
    this.count('replica');
    return result;
  }

  /**
   * A reader of bytes that never change once they are readable: only the age of the replica counts. Null when there is no replica, or it
   * is not available.
   */
  async bytesReader(): Promise<ReadReplicaBytes | null> {
    const { pool, maxLagSeconds } = this;
    if (!pool || this.isAway()) return null;
    const fresh = freshParameters(await readRequiredPosition(this.em.fork(), ALL_ENVIRONMENTS), maxLagSeconds);
    let isUsable = true;
    return async (text, parameters, memory) => {
      if (!isUsable) return null;
      try {
        const condition = isFresh(parameters.length + 1);
        const found = await pool.readBytes(`${text} and ${condition}`, [...parameters, ...fresh], memory);
        this.count(found ? 'replica' : 'behind');
        isUsable = found !== null;
        this.awayUntil = 0;
        return found;
      } catch (error) {
        isUsable = false;
        this.failed(error);
        return null;
      }
    };
  }

  async onApplicationShutdown(): Promise<void> {
    await this.pool?.close();
  }

  /** Null when the primary has to answer. */
  private async begin(pool: ReplicaPool, environmentUuid: string): Promise<ReplicaTransaction | null> {
    if (this.isAway()) {
      this.count('unavailable');
      return null;
    }
    // At the same time: a replica that is fit costs no further round trip to the primary.
    const [required, begun] = await Promise.allSettled([
      readRequiredPosition(this.em.fork(), environmentUuid),
      pool.begin(),
    ]);
    if (begun.status === 'rejected') {
      this.failed(begun.reason);
      return null;
    }
    if (required.status === 'rejected') {
      await begun.value.end();
      throw required.reason;
    }
    this.awayUntil = 0;
    const unfit = unfitnessOf(begun.value.state, required.value, this.maxLagSeconds);
    if (!unfit) return begun.value;
    this.count(unfit);
    await begun.value.end();
    return null;
  }

  private count(result: Result): void {
    this.reads.inc({ result });
  }

  /** After the pause, one read tries it; the others continue with the primary until it has answered. */
  private isAway(): boolean {
    if (this.awayUntil === 0) return false;
    const now = performance.now();
    if (now < this.awayUntil) return true;
    this.awayUntil = now + PAUSE_MS;
    return false;
  }

  private failed(error: unknown): void {
    if (error instanceof ApiError) return void this.count('refused');
    const isForeign = error instanceof ForeignReplica;
    const isAway = isForeign || isDatabaseUnavailable(error) || (error as Error).message === NO_ANSWER;
    this.count(isAway ? 'unavailable' : 'failed');
    if (isAway) this.awayUntil = performance.now() + PAUSE_MS;
    if (isForeign) this.logger.error('The replica is a standby of another database');
    else this.logger.warn(error, 'The replica could not answer');
  }
}
