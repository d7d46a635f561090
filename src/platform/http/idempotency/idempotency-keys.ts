import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { Kysely } from 'kysely';
import { v4 as randomUuid } from 'uuid';
import { Clock } from '../../clock/clock';
import { fingerprint } from '../../crypto/fingerprint';
import { Encrypted } from '../../crypto/encrypted';
import { KeyManager } from '../../crypto/key-manager';
import type { KeyRing } from '../../crypto/key-ring';
import { affected, affectedIn, sql } from '../../database/sql';
import { everyProcess, Recurring } from '../../jobs/recurring-work';
import { conflict, unprocessable } from '../../errors/errors';
import { subscribeToCommits } from './idempotent-transaction';

/** decisions 1: for this long, a repeated request gets the stored response. */
const RETENTION_SECONDS = 24 * 3600;
/**
 * How long a request counts as in progress; the longest legitimate one waits ten seconds for a provider. If its process died
 * without a commit, the next request with the key takes over.
 */
const LEASE_SECONDS = 60;
const ANSWER = 'idempotency-key.answer';
const FINGERPRINT = 'idempotency-key.fingerprint';

/** A request with an idempotency key. */
export interface KeyedRequest {
  /** The token's identity, else the key's environment: the same key of two callers is two keys (decisions 1). */
  readonly scopeUuid: string;
  readonly environmentUuid: string;
  readonly key: string;
  /** Method, address and body, which must be identical for a replay. */
  readonly content: unknown;
}

/** The stored successful response to the first request. Errors are not stored: they release the key (decisions 1). */
export interface StoredResponse {
  readonly status: number;
  readonly body: unknown;
  /** The header `Location` (decisions 1), if there was one. */
  readonly location?: string;
  /** The response contained a secret: only that the work has been done is stored. */
  readonly withheld?: true;
}

/** The exclusive right to do the work of a key, until its response is stored or the key is released. */
export interface IdempotencyClaim {
  readonly request: KeyedRequest;
  readonly lease: string;
  readonly dataKey: KeyRing;
}

/** Fingerprints of one request with each version of the data key, that with the current one first. */
type Hashes = readonly [Buffer, ...Buffer[]];

interface IdempotencyKeyRow {
  readonly fingerprint: Buffer;
  readonly committed: boolean;
  readonly responded: boolean;
  readonly response: Buffer | null;
  readonly leased: boolean;
}

/**
 * Stores the first request of each `Idempotency-Key` and its response (decisions 1). A unique row decides between processes.
 * Responses are encrypted with the environment's data key, and deleted with the resources that they refer to (`clear-stored-responses.ts`).
 *
 * The transaction that does the work marks the row as committed. A key is therefore never processed twice: a request whose lease
 * was taken over cannot commit, and work that was committed by a process that died before storing the response is not repeated.
 */
@Injectable()
export class IdempotencyKeys implements OnModuleInit {
  constructor(
    private readonly em: EntityManager,
    private readonly keyManager: KeyManager,
    private readonly clock: Clock,
  ) {}

  onModuleInit(): void {
    subscribeToCommits(this.em);
  }

  /**
   * Claims the key, or returns the stored response.
   * @throws ApiError 409 `IDEMPOTENCY_IN_PROGRESS`; 422 `IDEMPOTENCY_KEY_REUSED` when the key was used for another request, or
   *   the response is no longer available: its subject was deleted, or its process died before storing it
   */
  async claim(request: KeyedRequest): Promise<IdempotencyClaim | StoredResponse> {
    const em = this.em.fork();
    const dataKey = await this.keyManager.key(em, request.environmentUuid);
    // An earlier request may have come before the data key was replaced.
    const hashes = dataKey.mapKeys((key) => fingerprint(key, FINGERPRINT, request.content));
    for (;;) {
      const lease = randomUuid();
      if (await this.insert(em, request, hashes, lease)) return { request, lease, dataKey };
      const row = await this.find(em, request);
      if (row) return this.storedResponse(row, hashes, dataKey, request);
      // The key was released in the meantime: try again.
    }
  }

  /** Called by the transaction that does the work. @throws ApiError 409 when another request has taken over the key */
  async markCommitted({ request, lease }: IdempotencyClaim, transaction: Kysely<unknown>): Promise<void> {
    const marked = await affectedIn(
      transaction,
      'update idempotency_key set committed_at = $4 where scope_uuid = $1 and key = $2 and lease_token = $3',
      [request.scopeUuid, request.key, lease, this.clock.now()],
    );
    if (marked === 0) throw inProgress();
  }

  /** Stores the response for 24 hours. `resourceUuids` are the uuids that it refers to. */
  async store(
    { request, lease, dataKey }: IdempotencyClaim,
    response: StoredResponse,
    resourceUuids: readonly string[],
  ): Promise<void> {
    const encrypted = this.keyManager.encrypt(dataKey, idempotentResponsePurpose(request), response);
    await sql(
      this.em.fork(),
      `update idempotency_key set response = $4, resource_uuids = $5::uuid[], responded_at = $6
       where scope_uuid = $1 and key = $2 and lease_token = $3`,
      [request.scopeUuid, request.key, lease, encrypted.bytes, [...resourceUuids], this.clock.now()],
    );
  }

  /** Releases the key for another attempt, unless the work has been committed. */
  async release({ request, lease }: IdempotencyClaim): Promise<void> {
    await sql(
      this.em.fork(),
      'delete from idempotency_key where scope_uuid = $1 and key = $2 and lease_token = $3 and committed_at is null',
      [request.scopeUuid, request.key, lease],
    );
  }

  /** Deletes expired keys. Returns their number. */
  @Recurring({ everyMs: 600_000, failure: 'Old idempotency keys could not be removed', runsIn: everyProcess })
  async sweep(): Promise<number> {
    return affected(this.em.fork(), 'delete from idempotency_key where expires_at <= $1', [this.clock.now()]);
  }

  /** The unique row decides between concurrent requests. Returns whether this request has the key. */
  private async insert(em: EntityManager, request: KeyedRequest, hashes: Hashes, lease: string): Promise<boolean> {
    const { scopeUuid, key, environmentUuid } = request;
    const rows = await affected(
      em,
      `insert into idempotency_key as k
         (scope_uuid, key, environment_uuid, fingerprint, lease_token, leased_until, created_at, expires_at)
       values ($1, $2, $3, $4, $5, $7, $6, $8)
       on conflict (scope_uuid, key, environment_uuid) do update set
         fingerprint = excluded.fingerprint, lease_token = excluded.lease_token, leased_until = excluded.leased_until,
         committed_at = null, responded_at = null, response = null, resource_uuids = '{}',
         created_at = excluded.created_at, expires_at = excluded.expires_at
       where k.expires_at <= $6 or (k.responded_at is null and k.committed_at is null and k.leased_until <= $6
         and k.fingerprint = any($9::bytea[]))`,
      [
        scopeUuid,
        key,
        environmentUuid,
        hashes[0],
        lease,
        this.clock.now(),
        this.clock.in(LEASE_SECONDS),
        this.clock.in(RETENTION_SECONDS),
        hashes,
      ],
    );
    return rows === 1;
  }

  private async find(em: EntityManager, { scopeUuid, key }: KeyedRequest): Promise<IdempotencyKeyRow | undefined> {
    const [row] = await sql<IdempotencyKeyRow>(
      em,
      `select fingerprint, response, committed_at is not null as committed, responded_at is not null as responded,
         leased_until > $3 as leased
       from idempotency_key where scope_uuid = $1 and key = $2`,
      [scopeUuid, key, this.clock.now()],
    );
    return row;
  }

  private storedResponse(
    row: IdempotencyKeyRow,
    hashes: Hashes,
    dataKey: KeyRing,
    request: KeyedRequest,
  ): StoredResponse {
    if (!hashes.some((hash) => hash.equals(row.fingerprint))) throw unprocessable('IDEMPOTENCY_KEY_REUSED');
    if (row.response)
      return this.keyManager.decrypt<StoredResponse>(
        dataKey,
        idempotentResponsePurpose(request),
        new Encrypted(row.response),
      );
    if (row.responded || (row.committed && !row.leased)) throw unprocessable('IDEMPOTENCY_KEY_REUSED');
    throw inProgress();
  }
}

/** Binds an encrypted response to its row. */
export const idempotentResponsePurpose = ({ scopeUuid, key }: Pick<KeyedRequest, 'scopeUuid' | 'key'>): string =>
  `${ANSWER}:${scopeUuid}:${key}`;

const inProgress = () => conflict('IDEMPOTENCY_IN_PROGRESS', { retryAfterSeconds: 1 });
