import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { Environment } from '../identities/environment.entity';
import { Identity } from '../identities/identity.entity';
import { Clock } from '../platform/clock';
import { Vault } from '../platform/crypto/vault';
import { Transaction } from '../transactions/transaction.entity';
import { setTimeout as pause } from 'node:timers/promises';
import { CATCH_UP_PER_SECOND, passage } from './breaker';
import { LeaveToPull } from './leave-to-pull';
import { openEndpoint } from './open-endpoint';
import { PushLimits } from './push-limits';
import { SendDocument } from './send-document';
import { takeTurn } from './turn';

/** Due documents that are looked up together, for each that may be on its way at the same time. */
const BATCH = 8;
/** As many of what is delivered again in bulk: a little beside what is new, so that it gets on too, and not much alone. */
const BULK_BESIDE = 1;
const BULK_ALONE = 2;

/**
 * The job "drain endpoint Y": pushes what is due for one client, in order, until nothing is due, it is held back, or its
 * turn is over.
 */
@Injectable()
export class DrainEndpoint {
  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
    private readonly vault: Vault,
    private readonly send: SendDocument,
    private readonly leave: LeaveToPull,
    private readonly limits: PushLimits,
  ) {}

  async run(environmentUuid: string, signal: AbortSignal): Promise<void> {
    await takeTurn(signal, this.limits, (turn, cut) => this.drain(environmentUuid, turn, cut));
  }

  private async drain(environmentUuid: string, turn: AbortSignal, cut: AbortSignal): Promise<void> {
    const rate = new Rate(CATCH_UP_PER_SECOND);
    while (!turn.aborted) {
      const em = this.em.fork();
      const environment = await em.findOne(Environment, environmentUuid);
      if (!environment || environment.strategy !== 'PUSH') return;
      const through = await passage(em, environmentUuid, this.clock.now());
      if (through === 'held') return;
      const found = await this.due(em, environmentUuid, through === 'probe' ? 1 : BATCH * this.limits.atOnce);
      if (found.length === 0) return;
      const fits = ({ size }: Transaction) => size <= environment.pushLimitBytes;
      await this.leave.run(found.filter((transaction) => !fits(transaction)));
      const due = found.filter(fits);
      const endpoint = await openEndpoint(em, this.vault, environment);
      const names = await this.clientIdentifiers(em, due);
      const push = (transaction: Transaction) =>
        this.send.run(endpoint, through, transaction, names.get(transaction.identityUuid) ?? '', cut);
      const held = await this.pushAll(due, push, turn, through === 'catching up' ? rate : null);
      if (held) return;
    }
  }

  /** The oldest first, and what is delivered again in bulk behind everything else. */
  private async due(em: EntityManager, environmentUuid: string, limit: number): Promise<Transaction[]> {
    const lane = (bulk: boolean, most: number) =>
      em.find(
        Transaction,
        { environmentUuid, bulk, dueAt: { $lte: this.clock.now() } },
        { orderBy: { dueAt: 'asc', uuid: 'asc' }, limit: most },
      );
    const first = await lane(false, limit);
    if (limit === 1 && first.length === 1) return first;
    return [
      ...first,
      ...(await lane(true, Math.min(limit, this.limits.atOnce * (first.length > 0 ? BULK_BESIDE : BULK_ALONE)))),
    ];
  }

  private async clientIdentifiers(em: EntityManager, due: readonly Transaction[]): Promise<Map<string, string>> {
    const uuids = [...new Set(due.map((transaction) => transaction.identityUuid))];
    const identities = await em.find(Identity, { uuid: { $in: uuids } });
    return new Map(identities.map((identity) => [identity.uuid, identity.clientIdentifier]));
  }

  /** Stops taking new ones as soon as the endpoint is held back. Answers whether it is. */
  private async pushAll(
    due: readonly Transaction[],
    push: (transaction: Transaction) => Promise<boolean>,
    turn: AbortSignal,
    rate: Rate | null,
  ): Promise<boolean> {
    let held = false;
    let next = 0;
    const work = async () => {
      while (next < due.length && !held && !turn.aborted) {
        const transaction = due[next++]!;
        await rate?.next();
        if (!held && (await push(transaction))) held = true;
      }
    };
    // All of them, also when one fails: what is on its way must not be taken for due by the next job.
    const ended = await Promise.allSettled(Array.from({ length: Math.min(this.limits.atOnce, due.length) }, work));
    const failed = ended.find((end) => end.status === 'rejected');
    if (failed) throw failed.reason;
    return held;
  }
}

/** So many a second, evenly: what was not used is not saved up. */
class Rate {
  private at = 0;

  constructor(private readonly perSecond: number) {}

  async next(): Promise<void> {
    const now = performance.now();
    this.at = Math.max(now, this.at + 1000 / this.perSecond);
    if (this.at > now) await pause(this.at - now);
  }
}
