import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { Environment } from '../../identities/environments/environment.entity';
import { Clock } from '../../platform/clock/clock';
import { KeyManager } from '../../platform/crypto/key-manager';
import type { KeyRing } from '../../platform/crypto/key-ring';
import { isUnavailable } from '../../platform/availability/storage-unavailable';
import { fitsPush } from '../../transactions/record/initial-delivery';
import { Transaction } from '../../transactions/record/transaction.entity';
import { CircuitBreaker, type SendPermission } from '../circuit/circuit-breaker';
import { resolveEndpoint, type ResolvedEndpoint } from './resolve-endpoint';
import { PushLimits } from '../shared/push-limits';
import { type DueRecord, type DueTransaction, readDue, readLastAttempts, readTrial } from './read-due';

/** Minimum number of due documents that are read together. */
const MIN_BATCH_SIZE = 256;
/** Due documents that are read per request that may be in flight. */
const DOCUMENTS_PER_REQUEST = 8;
/**
 * `lowPriority` documents (redelivered in bulk) per request in flight: a few beside new documents, so that they make progress,
 * and not many when they are alone.
 */
const BULK_PER_REQUEST_SHARED = 1;
const BULK_PER_REQUEST_ALONE = 2;

/** A due document with the key to decrypt it. */
export interface DueDocument extends DueRecord {
  /** The connection's data key, to be held only while pushing; or the error that prevented reading it. */
  readonly key: KeyRing | Error;
}

/** The documents that are due for one endpoint now, in the order in which they are sent. */
export interface DueBatch {
  readonly endpoint: ResolvedEndpoint;
  readonly permission: Exclude<SendPermission, 'none'>;
  readonly documents: readonly DueDocument[];
  /** Documents over the environment's push limit (decisions 6). */
  readonly tooLarge: readonly DueTransaction[];
}

/** Reads the documents that are due for one client's endpoint. */
@Injectable()
export class DueDocuments {
  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
    private readonly keyManager: KeyManager,
    private readonly limits: PushLimits,
    private readonly circuit: CircuitBreaker,
  ) {}

  /** Reads at most `limit` documents, without the transactions in `excluded`. Returns null when nothing may be sent now. */
  async nextBatch(environmentUuid: string, excluded: readonly string[], limit = Infinity): Promise<DueBatch | null> {
    const em = this.em.fork();
    const environment = await em.findOne(Environment, environmentUuid);
    if (!environment || environment.strategy !== 'PUSH' || environment.fence) return null;
    const { permission, expireBefore } = await this.circuit.checkPermission(em, environmentUuid);
    if (permission === 'none') return null;
    const maxCount = Math.min(limit, Math.max(MIN_BATCH_SIZE, DOCUMENTS_PER_REQUEST * this.limits.maxInFlight));
    const at = this.clock.now();
    const due = await (permission === 'trial'
      ? readTrial(em, { environmentUuid, at, excluded })
      : permission === 'last-attempts'
        ? readLastAttempts(em, { environmentUuid, at, excluded, expireBefore: expireBefore!, limit: maxCount })
        : this.due(em, environmentUuid, excluded, maxCount));
    if (due.length === 0) return null;
    const fits = ({ transaction }: DueRecord) => fitsPush(environment, transaction.size);
    const endpoint = await resolveEndpoint(em, this.keyManager, environment);
    const documents = await this.withKeys(em, due.filter(fits));
    const tooLarge = due.filter((one) => !fits(one)).map(({ transaction }) => transaction);
    return { endpoint, permission, documents, tooLarge };
  }

  /** The oldest first, and those redelivered in bulk after all others. */
  private async due(
    em: EntityManager,
    environmentUuid: string,
    excluded: readonly string[],
    limit: number,
  ): Promise<DueRecord[]> {
    const at = this.clock.now();
    const readGroup = (lowPriority: boolean, count: number) =>
      readDue(em, { environmentUuid, lowPriority, at, excluded, limit: count });
    const first = await readGroup(false, limit);
    const maxCount = this.limits.maxInFlight * (first.length > 0 ? BULK_PER_REQUEST_SHARED : BULK_PER_REQUEST_ALONE);
    return [...first, ...(await readGroup(true, Math.min(limit, maxCount)))];
  }

  private async withKeys(em: EntityManager, due: readonly DueRecord[]): Promise<DueDocument[]> {
    const connections = [...new Set(due.map(({ transaction }) => transaction.connectionUuid))];
    const keys = await this.keyManager.keys(em, connections);
    const found: DueDocument[] = [];
    for (const one of due) {
      const key = keys.get(one.transaction.connectionUuid) ?? (await this.dataKeyOf(one.transaction));
      if (key) found.push({ ...one, key });
    }
    return found;
  }

  /** Null when the connection has been deleted since its documents were read; otherwise the key or the error. */
  private async dataKeyOf({ uuid, connectionUuid }: DueTransaction): Promise<KeyRing | Error | null> {
    const em = this.em.fork();
    try {
      return await this.keyManager.key(em, connectionUuid);
    } catch (error) {
      if (isUnavailable(error)) throw error;
      return (await em.count(Transaction, { uuid })) === 0 ? null : (error as Error);
    }
  }
}
