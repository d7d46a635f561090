import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { DocumentStore } from '../documents/store/document-store';
import { Clock } from '../platform/clock';
import { provisionedDocument } from '../transactions/provisioned-document';
import type { Passage } from './circuit/circuit';
import type { DueDocument } from './due-documents';
import type { Sent } from './in-lanes';
import type { OpenEndpoint } from './open-endpoint';
import type { Outgoing } from './outgoing';
import { INTERRUPTED, Push } from './push';
import { type DueTransaction, isStillDue } from './read-due';
import { SettleAttempt } from './settle-attempt';

/** A document that is being made ready to leave. */
export interface ReadyDocument {
  readonly transaction: DueTransaction;
  readonly outgoing: Outgoing;
}

/** One attempt for one document, from the store to the settled result. */
@Injectable()
export class SendDocument {
  constructor(
    private readonly em: EntityManager,
    private readonly store: DocumentStore,
    private readonly push: Push,
    private readonly settle: SettleAttempt,
    private readonly clock: Clock,
  ) {}

  /** Begins to read it, which needs nothing of the endpoint. Never throws: `run` does. */
  prepare(
    { transaction, clientIdentifier, key, foundAt: foundDueAt }: DueDocument,
    { secrets }: OpenEndpoint,
  ): ReadyDocument {
    const ref = { uuid: transaction.contentUuid!, chunks: transaction.contentChunks, size: transaction.size };
    const payload = provisionedDocument(transaction, clientIdentifier, 'bare');
    const content = () => {
      if (key instanceof Error) throw key; // what cannot be opened fails for itself, and holds up nothing else
      return this.store.parts(ref, key);
    };
    const letter = {
      transactionUuid: transaction.uuid,
      secrets,
      payload,
      content,
      foundDueAt,
      isStillDue: () => isStillDue(this.em.fork(), transaction),
    };
    return { transaction, outgoing: this.push.prepare(letter) };
  }

  /** `cut` ends the attempt, which counts and is logged all the same. `settled` says whether to leave the endpoint alone from now on. */
  async run(
    { transaction, outgoing }: ReadyDocument,
    { target, addressVersion }: OpenEndpoint,
    through: Passage,
    cut: AbortSignal,
  ): Promise<Sent> {
    const startedAt = this.clock.now();
    const result = await this.push.run(target, outgoing, cut);
    if (!result) return { ok: true, settled: Promise.resolve(false) };
    const ok = result.errorCode === null;
    const route = { environmentUuid: transaction.environmentUuid, addressVersion, through };
    // The receiver may have the document or not: it is sent again, with the same Idempotency-Key.
    const cutOff = cut.aborted && result.status === null && !ok;
    const ended = cutOff ? { ...result, errorCode: INTERRUPTED } : result;
    return { ok, settled: this.settle.run(transaction, route, startedAt, ended) };
  }
}
