import { LockMode } from '@mikro-orm/core';
import type { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { Clock } from '../../platform/clock/clock';
import { sql } from '../../platform/database/sql';
import type { DeliveryError } from '../../transactions/record/transaction.entity';
import { type CircuitState, Endpoint } from './endpoint.entity';
import { RecordEndpointEvent } from './record-endpoint-event';

/**
 * What may be sent to an endpoint now. `all`: everything. `rate-limited`: everything, at a bounded rate. `trial`: one
 * document, whose result decides about the others. `last-attempts`: only documents that have waited behind the open
 * circuit for too long. `none`: nothing.
 */
export type SendPermission = 'all' | 'rate-limited' | 'trial' | 'last-attempts' | 'none';

/** The endpoint of an attempt, and the permission it was sent with. */
export interface AttemptContext {
  readonly environmentUuid: string;
  /** `Environment.endpointVersion` at the time the attempt was prepared. */
  readonly endpointVersion: number;
  readonly permission: SendPermission;
}

/** Maintains the circuit of each endpoint (decisions 6). */
@Injectable()
export class CircuitBreaker {
  constructor(
    private readonly clock: Clock,
    private readonly events: RecordEndpointEvent,
  ) {}

  /**
   * Records a failed attempt in the caller's transaction and locks the endpoint. Returns null when the environment's
   * address has changed: the response of the former address does not concern the current one.
   */
  async recordFailure(
    em: EntityManager,
    { environmentUuid, endpointVersion }: AttemptContext,
    pauseSeconds: number,
    error: DeliveryError,
  ): Promise<Endpoint | null> {
    if (!(await lockCurrentAddress(em, environmentUuid, endpointVersion))) return null;
    await sql(
      em,
      'insert into endpoint (environment_uuid, consecutive_failures) values ($1, 0) on conflict do nothing',
      [environmentUuid],
    );
    const endpoint = await em.findOneOrFail(Endpoint, environmentUuid, { lockMode: LockMode.PESSIMISTIC_WRITE });
    const opens = endpoint.recordFailure(this.clock.now(), pauseSeconds, error);
    if (opens) await this.events.recordFailing(em, endpoint);
    return endpoint;
  }

  /**
   * Records a delivery to an endpoint that had failed before, in a separate transaction. Returns whether to stop
   * sending: the endpoint has requested a pause, or its address has changed.
   */
  recordSuccess(em: EntityManager, { environmentUuid, endpointVersion }: AttemptContext): Promise<boolean> {
    return em.fork().transactional(async (tx) => {
      if (!(await lockCurrentAddress(tx, environmentUuid, endpointVersion))) return true;
      const endpoint = await tx.findOne(Endpoint, environmentUuid, { lockMode: LockMode.PESSIMISTIC_WRITE });
      if (!endpoint) return false;
      if (endpoint.openedAt) await this.events.recordRecovered(tx, endpoint);
      endpoint.recordSuccess(this.clock.now());
      return endpoint.circuitOpenUntil != null;
    });
  }

  /** Reads what may be sent now. With `last-attempts`: only documents whose delivery began at `expireBefore` or earlier. */
  async checkPermission(
    em: EntityManager,
    environmentUuid: string,
  ): Promise<{ readonly permission: SendPermission; readonly expireBefore: Date | null }> {
    const endpoint = await em.findOne(Endpoint, environmentUuid);
    const now = this.clock.now();
    const expireBefore = endpoint?.expireBefore ?? null;
    const permission = ((): SendPermission => {
      if (!endpoint) return 'all';
      if (endpoint.isBlocked(now)) return expireBefore && !endpoint.isPaused(now) ? 'last-attempts' : 'none';
      if (endpoint.circuitOpenUntil) return 'trial';
      return endpoint.catchUpUntil && endpoint.catchUpUntil > now ? 'rate-limited' : 'all';
    })();
    return { permission, expireBefore };
  }

  /**
   * Allows the next trial immediately and resets the intervals: a redelivery was requested, so the endpoint is expected
   * to work. A pause that it has requested still applies.
   */
  async allowTrial(em: EntityManager, environmentUuid: string): Promise<void> {
    await em.transactional(async (tx) => {
      const endpoint = await tx.findOne(Endpoint, environmentUuid, { lockMode: LockMode.PESSIMISTIC_WRITE });
      endpoint?.allowTrial(this.clock.now());
    });
  }
}

/**
 * The circuit of an environment's endpoint as shown to clients; `failingSince` is the first consecutive failure while
 * the circuit is not closed.
 */
export async function readCircuit(
  em: EntityManager,
  environmentUuid: string,
  now: Date,
): Promise<{ readonly circuit: CircuitState; readonly failingSince: Date | null }> {
  const endpoint = await em.findOne(Endpoint, environmentUuid);
  const circuit = endpoint?.circuit(now) ?? 'CLOSED';
  return { circuit, failingSince: circuit === 'CLOSED' ? null : (endpoint?.failingSince ?? null) };
}

/** Locks the address until the end of the transaction. */
async function lockCurrentAddress(
  em: EntityManager,
  environmentUuid: string,
  endpointVersion: number,
): Promise<boolean> {
  const rows = await sql(em, 'select uuid from environment where uuid = $1 and endpoint_version = $2 for share', [
    environmentUuid,
    endpointVersion,
  ]);
  return rows.length > 0;
}
