import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { DocumentStore } from '../../documents/store/document-store';
import { Clock } from '../../platform/clock/clock';
import { provisionedDocument } from '../../transactions/download/provisioned-document';
import type { SendPermission } from '../circuit/circuit-breaker';
import type { DueDocument } from './due-documents';
import type { SendResult } from './sending/send-concurrently';
import type { ResolvedEndpoint } from './resolve-endpoint';
import type { PreparedPush } from './prepared-push';
import { PUSH_INTERRUPTED, PushClient, type PushResult } from './push-client';
import { type DueTransaction, isStillDue } from './read-due';
import type { CongestionWindow, AttemptOutcome } from './sending/congestion-window';
import { SharedSendState } from './sending/shared-send-state';
import { RecordAttemptResult } from './record-attempt-result';

/** A document that is being made ready to leave. */
export interface PreparedDocument {
  readonly transaction: DueTransaction;
  readonly prepared: PreparedPush;
}

/** Under which an attempt is made. */
export interface SendOptions {
  readonly window: CongestionWindow;
  readonly abort: AbortSignal;
  readonly onRequestStart: () => void;
}

/** One attempt for one document, from the store to the settled result. */
@Injectable()
export class SendDocument {
  constructor(
    private readonly em: EntityManager,
    private readonly store: DocumentStore,
    private readonly push: PushClient,
    private readonly results: RecordAttemptResult,
    private readonly clock: Clock,
    private readonly shared: SharedSendState,
  ) {}

  /** Begins to read it, which needs nothing of the endpoint. Never throws: `run` does. */
  prepare(
    { transaction, clientIdentifier, key, foundAt: foundDueAt }: DueDocument,
    { secrets }: ResolvedEndpoint,
  ): PreparedDocument {
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
    return { transaction, prepared: this.push.prepare(letter) };
  }

  /**
   * `cut` ends the attempt, which counts and is logged all the same. `leaving` is called when only the endpoint is waited for.
   * `settled` says whether to leave the endpoint alone from now on; it waits for the database as long as that is away.
   */
  async send(
    { transaction, prepared: outgoing }: PreparedDocument,
    { target, addressVersion }: ResolvedEndpoint,
    permission: SendPermission,
    { window: flow, abort: cut, onRequestStart: leaving }: SendOptions,
  ): Promise<SendResult> {
    const startedAt = this.clock.now();
    let end: ((outcome: AttemptOutcome) => void) | undefined;
    const left = () => {
      end = flow.requestStarted();
      leaving();
    };
    const sending = this.push.deliver(target, outgoing, cut, {
      expectPromptResponse: flow.hasResponded && flow.prompt,
      onRequestStart: left,
    });
    const result = await sending.finally(() => leaving());
    const ok = result?.errorCode === null;
    // The receiver may have the document or not: it is sent again, with the same Idempotency-Key.
    const cutOff = cut.aborted && result?.status === null && !ok;
    end?.(result && !cutOff ? outcomeOf(result) : 'unknown');
    if (!result) return { ok: true, stopRequested: Promise.resolve(false) };
    const route = { environmentUuid: transaction.environmentUuid, addressVersion, permission };
    const ended = cutOff ? { ...result, errorCode: PUSH_INTERRUPTED } : result;
    const settle = () => this.results.record(transaction, route, startedAt, ended);
    // Hundreds of endpoints fail at the same moment, 30 s after they began to hang.
    const write = ok ? settle : () => this.shared.capacity.runAsSlow(settle);
    return { ok, stopRequested: this.shared.results.write(transaction, write, cut) };
  }
}

function outcomeOf({ status, errorCode, internalError: ownFault }: PushResult): AttemptOutcome {
  if (ownFault !== undefined) return 'unknown';
  if (errorCode === null) return 'delivered';
  return status === null ? 'silent' : 'refused';
}
