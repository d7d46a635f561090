import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { DocumentStore } from '../../documents/store/document-store';
import { Clock } from '../../platform/clock/clock';
import { currentSpan, withLogFields } from '../../platform/request/work-scope';
import type { SpanOptions } from '../../platform/tracing/tracer';
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

/** A document that is being prepared. */
export interface PreparedDocument {
  readonly transaction: DueTransaction;
  readonly prepared: PreparedPush;
}

/** Options of one attempt. */
export interface SendOptions {
  readonly window: CongestionWindow;
  readonly abort: AbortSignal;
  readonly onRequestStart: () => void;
}

/** One attempt for one document, from the store to the recorded result. */
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

  /** Starts reading the document, which does not involve the endpoint. Never throws; `send` does. */
  prepare(
    { transaction, clientIdentifier, key, foundAt: foundDueAt }: DueDocument,
    { secrets }: ResolvedEndpoint,
  ): PreparedDocument {
    const ref = { uuid: transaction.contentUuid!, chunks: transaction.contentChunks, size: transaction.size };
    const payload = provisionedDocument(transaction, clientIdentifier, 'bare');
    const content = () => {
      if (key instanceof Error) throw key; // a connection whose key cannot be read fails alone and does not delay others
      return this.store.parts(ref, key);
    };
    const message = {
      transactionUuid: transaction.uuid,
      environmentUuid: transaction.environmentUuid,
      secrets,
      payload,
      content,
      foundDueAt,
      isStillDue: () => isStillDue(this.em.fork(), transaction),
    };
    return { transaction, prepared: this.push.prepare(message) };
  }

  /**
   * `abort` ends the attempt, which counts and is logged all the same. `onRequestStart` is called when only the
   * endpoint is waited for. `stopRequested` resolves to whether to stop sending to the endpoint; it waits while the
   * database is unavailable.
   */
  send(
    document: PreparedDocument,
    endpoint: ResolvedEndpoint,
    permission: SendPermission,
    options: SendOptions,
  ): Promise<SendResult> {
    const { uuid, connectionUuid, environmentUuid, attempts, causes } = document.transaction;
    const fields = { transaction_uuid: uuid, connection_uuid: connectionUuid, environment_uuid: environmentUuid };
    const describe = (): SpanOptions => ({
      kind: 'CLIENT',
      parent: causes.traceparent,
      link: causes.linkedTraceparent,
      attributes: {
        'docfetch.transaction_uuid': uuid,
        'docfetch.connection_uuid': connectionUuid,
        'docfetch.environment_uuid': environmentUuid,
        'docfetch.attempt': attempts + 1,
        'http.request.method': 'POST',
      },
    });
    const attempt = () => this.attempt(document, endpoint, permission, options);
    return withLogFields(fields, () => this.shared.tracing.run('push', describe, attempt));
  }

  private async attempt(
    { transaction, prepared }: PreparedDocument,
    { target, endpointVersion }: ResolvedEndpoint,
    permission: SendPermission,
    { window, abort, onRequestStart }: SendOptions,
  ): Promise<SendResult> {
    const startedAt = this.clock.now();
    let end: ((outcome: AttemptOutcome) => void) | undefined;
    const handleRequestStart = () => {
      end = window.requestStarted();
      onRequestStart();
    };
    const sending = this.push.deliver(target, prepared, abort, {
      expectPromptResponse: window.hasResponded && window.prompt,
      onRequestStart: handleRequestStart,
    });
    const result = await sending.finally(() => onRequestStart());
    const span = currentSpan();
    span?.set({ 'http.response.status_code': result?.status });
    if (result?.errorCode) span?.fail(result.errorCode);
    const ok = result?.errorCode === null;
    // The receiver may or may not have the document: it is sent again, with the same Idempotency-Key.
    const wasAborted = abort.aborted && result?.status === null && !ok;
    end?.(result && !wasAborted ? outcomeOf(result) : 'unknown');
    if (!result) return { ok: true, stopRequested: Promise.resolve(false) };
    const route = { environmentUuid: transaction.environmentUuid, endpointVersion, permission };
    const ended = wasAborted ? { ...result, errorCode: PUSH_INTERRUPTED } : result;
    const record = () => this.results.record(transaction, route, startedAt, ended);
    // Hundreds of endpoints may fail at the same moment, 30 s after they began to hang.
    const write = ok ? record : () => this.shared.capacity.runAsSlow(record);
    return { ok, stopRequested: this.shared.results.write(transaction, write, abort) };
  }
}

function outcomeOf({ status, errorCode, internalError }: PushResult): AttemptOutcome {
  if (internalError !== undefined) return 'unknown';
  if (errorCode === null) return 'delivered';
  return status === null ? 'no-response' : 'rejected';
}
