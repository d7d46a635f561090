import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { Environment } from '../../identities/environments/environment.entity';
import { Clock } from '../../platform/clock/clock';
import { Vault } from '../../platform/crypto/vault';
import { databaseIsAway } from '../../platform/availability/database-is-away';
import { Transaction } from '../../transactions/record/transaction.entity';
import { CircuitBreaker, type SendPermission } from '../circuit/circuit-breaker';
import { resolveEndpoint, type ResolvedEndpoint } from './resolve-endpoint';
import { PushLimits } from '../shared/push-limits';
import { type DueRecord, type DueTransaction, readDue, readLastAttempts, readTrial } from './read-due';

/** Due documents that are looked up together: so many at least … */
const MIN_BATCH_SIZE = 256;
/** … and so many for each that may be on its way at the same time. */
const DOCUMENTS_PER_REQUEST = 8;
/** As many of what is delivered again in bulk: a little beside what is new, so that it gets on too, and not much alone. */
const BULK_PER_REQUEST_SHARED = 1;
const BULK_PER_REQUEST_ALONE = 2;

/** A document that waits, with what it takes to read and to address it. */
export interface DueDocument extends DueRecord {
  /** Its connection's data key: hold it only while pushing. Or why there is none. */
  readonly key: Buffer | Error;
}

/** What is due for one endpoint now, in the order in which it is sent. */
export interface DueBatch {
  readonly endpoint: ResolvedEndpoint;
  readonly permission: Exclude<SendPermission, 'held'>;
  readonly documents: readonly DueDocument[];
  /** Over the environment's push limit (decisions 6). */
  readonly tooLarge: readonly DueTransaction[];
}

/** Looks up what is due for one client's endpoint. */
@Injectable()
export class DueDocuments {
  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
    private readonly vault: Vault,
    private readonly limits: PushLimits,
    private readonly circuit: CircuitBreaker,
  ) {}

  /** Without the transactions `beside`, `limit` at the most. Answers null when there is nothing to send, or not now. */
  async nextBatch(environmentUuid: string, excluded: readonly string[], limit = Infinity): Promise<DueBatch | null> {
    const em = this.em.fork();
    const environment = await em.findOne(Environment, environmentUuid);
    if (!environment || environment.strategy !== 'PUSH') return null;
    const { through, expireBefore } = await this.circuit.checkPermission(em, environmentUuid);
    if (through === 'held') return null;
    const most = Math.min(limit, Math.max(MIN_BATCH_SIZE, DOCUMENTS_PER_REQUEST * this.limits.maxInFlight));
    const at = this.clock.now();
    const due = await (through === 'trial'
      ? readTrial(em, { environmentUuid, at, excluded })
      : through === 'last attempts'
        ? readLastAttempts(em, { environmentUuid, at, excluded, expireBefore: expireBefore!, limit: most })
        : this.due(em, environmentUuid, excluded, most));
    if (due.length === 0) return null;
    const fits = ({ transaction }: DueRecord) => transaction.size <= environment.pushLimitBytes;
    const endpoint = await resolveEndpoint(em, this.vault, environment);
    const documents = await this.withKeys(em, due.filter(fits));
    const tooLarge = due.filter((one) => !fits(one)).map(({ transaction }) => transaction);
    return { endpoint, permission: through, documents, tooLarge };
  }

  /** The oldest first, and what is delivered again in bulk behind everything else. */
  private async due(
    em: EntityManager,
    environmentUuid: string,
    excluded: readonly string[],
    limit: number,
  ): Promise<DueRecord[]> {
    const at = this.clock.now();
    const lane = (bulk: boolean, most: number) => readDue(em, { environmentUuid, bulk, at, excluded, limit: most });
    const first = await lane(false, limit);
    const most = this.limits.maxInFlight * (first.length > 0 ? BULK_PER_REQUEST_SHARED : BULK_PER_REQUEST_ALONE);
    return [...first, ...(await lane(true, Math.min(limit, most)))];
  }

  private async withKeys(em: EntityManager, due: readonly DueRecord[]): Promise<DueDocument[]> {
    const connections = [...new Set(due.map(({ transaction }) => transaction.connectionUuid))];
    const keys = await this.vault.keys(em, connections);
    const found: DueDocument[] = [];
    for (const one of due) {
      const key = keys.get(one.transaction.connectionUuid) ?? (await this.dataKeyOf(one.transaction));
      if (key) found.push({ ...one, key });
    }
    return found;
  }

  /** Null when the connection has been deleted since its documents were looked up; else why its key is missing. */
  private async dataKeyOf({ uuid, connectionUuid }: DueTransaction): Promise<Buffer | Error | null> {
    const em = this.em.fork();
    try {
      return await this.vault.key(em, connectionUuid);
    } catch (error) {
      if (databaseIsAway(error)) throw error;
      return (await em.count(Transaction, { uuid })) === 0 ? null : (error as Error);
    }
  }
}
