import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { DocumentStore } from '../../documents/store/document-store';
import { Clock } from '../../platform/clock/clock';
import { provisionedDocument } from '../../transactions/download/provisioned-document';
import type { Passage } from '../circuit/circuit';
import type { DueDocument } from './due-documents';
import type { Sent } from './sending/in-lanes';
import type { OpenEndpoint } from './open-endpoint';
import type { Outgoing } from './outgoing';
import { INTERRUPTED, Push, type PushResult } from './push';
import { type DueTransaction, isStillDue } from './read-due';
import type { EndpointFlow, Outcome } from './sending/endpoint-flow';
import { SharedSending } from './sending/shared-sending';
import { SettleAttempt } from './settle-attempt';

/** A document that is being made ready to leave. */
export interface ReadyDocument {
  readonly transaction: DueTransaction;
  readonly outgoing: Outgoing;
}

/** Under which an attempt is made. */
export interface Conditions {
  readonly flow: EndpointFlow;
  readonly cut: AbortSignal;
  readonly leaving: () => void;
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
    private readonly sharing: SharedSending,
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
      environmentUuid: transaction.environmentUuid,
      secrets,
      payload,
      content,
      foundDueAt,
      isStillDue: () => isStillDue(this.em.fork(), transaction),
    };
    return { transaction, outgoing: this.push.prepare(letter) };
  }

  /**
   * `cut` ends the attempt, which counts and is logged all the same. `leaving` is called when only the endpoint is waited for.
   * `settled` says whether to leave the endpoint alone from now on; it waits for the database as long as that is away.
   */
  async run(
    { transaction, outgoing }: ReadyDocument,
    { target, addressVersion }: OpenEndpoint,
    through: Passage,
    { flow, cut, leaving }: Conditions,
  ): Promise<Sent> {
    const startedAt = this.clock.now();
    let end: ((outcome: Outcome) => void) | undefined;
    const left = () => {
      end = flow.leaves();
      leaving();
    };
    const sending = this.push.run(target, outgoing, cut, { soon: flow.hasAnswered && flow.prompt, leaving: left });
    const result = await sending.finally(() => leaving());
    const ok = result?.errorCode === null;
    // The receiver may have the document or not: it is sent again, with the same Idempotency-Key.
    const cutOff = cut.aborted && result?.status === null && !ok;
    end?.(result && !cutOff ? outcomeOf(result) : 'unknown');
    if (!result) return { ok: true, settled: Promise.resolve(false) };
    const route = { environmentUuid: transaction.environmentUuid, addressVersion, through };
    const ended = cutOff ? { ...result, errorCode: INTERRUPTED } : result;
    const settle = () => this.settle.run(transaction, route, startedAt, ended);
    // Hundreds of endpoints fail at the same moment, 30 s after they began to hang.
    const write = ok ? settle : () => this.sharing.places.quietly(settle);
    return { ok, settled: this.sharing.unwritten.write(transaction, write, cut) };
  }
}

function outcomeOf({ status, errorCode, ownFault }: PushResult): Outcome {
  if (ownFault !== undefined) return 'unknown';
  if (errorCode === null) return 'delivered';
  return status === null ? 'silent' : 'refused';
}
