import { Injectable } from '@nestjs/common';
import { DocumentStore } from '../documents/document-store';
import { Clock } from '../platform/clock';
import { provisionedDocument } from '../transactions/provisioned-document';
import type { Transaction } from '../transactions/transaction.entity';
import type { Passage } from './breaker';
import type { DueDocument } from './due-documents';
import type { OpenEndpoint } from './open-endpoint';
import { Push } from './push';
import type { PushBody } from './push-body';
import { SettleAttempt } from './settle-attempt';

/** A document that can be sent. */
export interface Ready {
  readonly transaction: Transaction;
  readonly body: PushBody;
}

/** One attempt for one document, from the store to the settled result. */
@Injectable()
export class SendDocument {
  constructor(
    private readonly store: DocumentStore,
    private readonly push: Push,
    private readonly settle: SettleAttempt,
    private readonly clock: Clock,
  ) {}

  async prepare({ transaction, clientIdentifier, key }: DueDocument): Promise<Ready> {
    const ref = { uuid: transaction.contentUuid!, chunks: transaction.contentChunks, size: transaction.size };
    const payload = provisionedDocument(transaction, clientIdentifier, 'bare');
    return { transaction, body: await this.push.prepare(payload, () => this.store.parts(ref, key)) };
  }

  /**
   * `settled` resolves when the result is written down, with whether to leave the endpoint alone from now on. `cut` ends the
   * attempt: it then never was.
   */
  async send(
    { transaction, body }: Ready,
    endpoint: OpenEndpoint,
    through: Passage,
    cut: AbortSignal,
  ): Promise<{ readonly ok: boolean; readonly settled: Promise<boolean> }> {
    const startedAt = this.clock.now();
    const result = await this.push.send(endpoint.target, endpoint.secrets, transaction.uuid, body, cut);
    const ok = result.errorCode === null;
    // It still is due: whoever comes next sends it again, with the same Idempotency-Key.
    if (cut.aborted && !ok) return { ok, settled: Promise.resolve(false) };
    return { ok, settled: this.settle.run(transaction, through, startedAt, result) };
  }
}
