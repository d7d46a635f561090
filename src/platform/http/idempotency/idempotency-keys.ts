import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import type { Kysely } from 'kysely';
import { v4 as randomUuid } from 'uuid';
import { Clock } from '../../clock/clock';
import { fingerprint } from '../../crypto/fingerprint';
import { Encrypted } from '../../crypto/encrypted';
import { KeyManager } from '../../crypto/key-manager';
import { affected, affectedIn, sql } from '../../database/sql';
import { conflict, unprocessable } from '../../errors/errors';
import { subscribeToCommits } from './idempotent-transaction';

/** decisions 1: so long the same request gets the same answer. */
const KEPT_SECONDS = 24 * 3600;
/**
 * So long a request is believed to be under way; the longest honest one waits ten seconds for a provider. When its process
 * has died without having committed anything, the next one with the key takes its place.
 */
const LEASE_SECONDS = 60;
const ANSWER = 'idempotency-key.answer';
const FINGERPRINT = 'idempotency-key.fingerprint';

/** A request that carries a key: whose it is, and what it asks for. */
export interface KeyedRequest {
  /** The token's identity, else the key's environment: the same key of two callers is two keys (decisions 1). */
  readonly scopeUuid: string;
  readonly environmentUuid: string;
  readonly key: string;
  /** Method, address and body: what has to be the same for a replay. */
  readonly content: unknown;
}

/** The success that the first request was answered with. Errors are not kept: they free the key (decisions 1). */
export interface Answer {
  readonly status: number;
  readonly body: unknown;
  /** The header `Location` (decisions 1), where there was one. */
  readonly location?: string;
}

/** The right to do the work of a key, until it is kept or released. */
export interface Claim {
  readonly request: KeyedRequest;
  readonly lease: string;
  readonly dataKey: Buffer;
}

interface Row {
  readonly fingerprint: Buffer;
  readonly committed: boolean;
  readonly answered: boolean;
  readonly answer: Buffer | null;
  readonly leased: boolean;
}

/**
 * Who came first with an `Idempotency-Key`, and the answer (decisions 1). The row decides, so two processes agree. Answers
 * are sealed with the environment's data key and forgotten when what they are about is deleted (a trigger sees to it).
 *
 * The transaction in which the work is done marks the row as committed. Hence a key is never worked on twice: whoever was
 * overtaken cannot commit, and what was committed by a process that died before it could keep the answer is not repeated.
 */
@Injectable()
export class IdempotencyKeys implements OnModuleInit {
  private readonly logger = new Logger(IdempotencyKeys.name);

  constructor(
    private readonly em: EntityManager,
    private readonly vault: KeyManager,
    private readonly clock: Clock,
  ) {}

  onModuleInit(): void {
    subscribeToCommits(this.em);
  }

  /**
   * Claims the key, or answers what was answered first.
   * @throws ApiError 409 `IDEMPOTENCY_IN_PROGRESS`; 422 `IDEMPOTENCY_KEY_REUSED` when the key was used for something else,
   *   or the answer cannot be told any more: what it was about has been deleted, or its process died before telling it
   */
  async claim(request: KeyedRequest): Promise<Claim | Answer> {
    const em = this.em.fork();
    const dataKey = await this.vault.key(em, request.environmentUuid);
    const hash = fingerprint(dataKey, FINGERPRINT, request.content);
    for (;;) {
      const lease = randomUuid();
      if (await this.insert(em, request, hash, lease)) return { request, lease, dataKey };
      const row = await this.find(em, request);
      if (row) return this.answered(row, hash, dataKey, request);
      // Released in this very moment: it is free again.
    }
  }

  /** Called by the transaction that does the work. @throws ApiError 409 when somebody else has taken the key over */
  async markCommitted({ request, lease }: Claim, transaction: Kysely<unknown>): Promise<void> {
    const marked = await affectedIn(
      transaction,
      'update idempotency_key set committed_at = $4 where scope_uuid = $1 and key = $2 and lease = $3',
      [request.scopeUuid, request.key, lease, this.clock.now()],
    );
    if (marked === 0) throw inProgress();
  }

  /** Keeps the answer for its 24 hours. `about` are the uuids that it tells of. */
  async keep({ request, lease, dataKey }: Claim, answer: Answer, about: readonly string[]): Promise<void> {
    const sealed = this.vault.encrypt(dataKey, purposeOf(request), answer);
    await sql(
      this.em.fork(),
      `update idempotency_key set answer = $4, about = $5::uuid[], answered_at = $6
       where scope_uuid = $1 and key = $2 and lease = $3`,
      [request.scopeUuid, request.key, lease, sealed.bytes, [...about], this.clock.now()],
    );
  }

  /** Frees the key for another try, unless the work has been committed after all. */
  async release({ request, lease }: Claim): Promise<void> {
    await sql(
      this.em.fork(),
      'delete from idempotency_key where scope_uuid = $1 and key = $2 and lease = $3 and committed_at is null',
      [request.scopeUuid, request.key, lease],
    );
  }

  @Interval(600_000)
  async tick(): Promise<void> {
    await this.sweep().catch((error: unknown) => this.logger.error(error, 'Old idempotency keys could not be swept'));
  }

  /** Removes what has been kept long enough. Answers how many. */
  async sweep(): Promise<number> {
    return affected(this.em.fork(), 'delete from idempotency_key where expires_at <= $1', [this.clock.now()]);
  }

  /** The unique row decides between requests at the same time. Answers whether it is ours. */
  private async insert(em: EntityManager, request: KeyedRequest, hash: Buffer, lease: string): Promise<boolean> {
    const { scopeUuid, key, environmentUuid } = request;
    const rows = await affected(
      em,
      `insert into idempotency_key as k
         (scope_uuid, key, environment_uuid, fingerprint, lease, leased_until, created_at, expires_at)
       values ($1, $2, $3, $4, $5, $7, $6, $8)
       on conflict (scope_uuid, key) do update set
         fingerprint = excluded.fingerprint, lease = excluded.lease, leased_until = excluded.leased_until,
         committed_at = null, answered_at = null, answer = null, about = '{}',
         created_at = excluded.created_at, expires_at = excluded.expires_at
       where k.expires_at <= $6 or (k.answered_at is null and k.committed_at is null and k.leased_until <= $6
         and k.fingerprint = excluded.fingerprint)`,
      [
        scopeUuid,
        key,
        environmentUuid,
        hash,
        lease,
        this.clock.now(),
        this.clock.in(LEASE_SECONDS),
        this.clock.in(KEPT_SECONDS),
      ],
    );
    return rows === 1;
  }

  private async find(em: EntityManager, { scopeUuid, key }: KeyedRequest): Promise<Row | undefined> {
    const [row] = await sql<Row>(
      em,
      `select fingerprint, answer, committed_at is not null as committed, answered_at is not null as answered,
         leased_until > $3 as leased
       from idempotency_key where scope_uuid = $1 and key = $2`,
      [scopeUuid, key, this.clock.now()],
    );
    return row;
  }

  private answered(row: Row, hash: Buffer, dataKey: Buffer, request: KeyedRequest): Answer {
    if (!hash.equals(row.fingerprint)) throw unprocessable('IDEMPOTENCY_KEY_REUSED');
    if (row.answer) return this.vault.decrypt<Answer>(dataKey, purposeOf(request), new Encrypted(row.answer));
    if (row.answered || (row.committed && !row.leased)) throw unprocessable('IDEMPOTENCY_KEY_REUSED');
    throw inProgress();
  }
}

/** An answer opens only in the row that it belongs to. */
const purposeOf = ({ scopeUuid, key }: KeyedRequest) => `${ANSWER}:${scopeUuid}:${key}`;

const inProgress = () => conflict('IDEMPOTENCY_IN_PROGRESS', { retryAfterSeconds: 1 });
