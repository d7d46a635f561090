import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { DocumentStore } from '../documents/document-store';
import { Clock } from '../platform/clock';
import { Vault } from '../platform/crypto/vault';
import { provisionedDocument } from '../transactions/provisioned-document';
import { Transaction } from '../transactions/transaction.entity';
import type { Passage } from './breaker';
import type { OpenEndpoint } from './open-endpoint';
import { Push } from './push';
import { SettleAttempt } from './settle-attempt';

/** One attempt for one document, from the store to the settled result. */
@Injectable()
export class SendDocument {
  constructor(
    private readonly em: EntityManager,
    private readonly store: DocumentStore,
    private readonly vault: Vault,
    private readonly push: Push,
    private readonly settle: SettleAttempt,
    private readonly clock: Clock,
  ) {}

  /** Answers whether to leave the endpoint alone from now on. `cut` ends the attempt: it then never was. */
  async run(
    endpoint: OpenEndpoint,
    through: Passage,
    transaction: Transaction,
    clientIdentifier: string,
    cut: AbortSignal,
  ): Promise<boolean> {
    const startedAt = this.clock.now();
    const key = await this.keyOf(transaction);
    if (!key) return false;
    const ref = { uuid: transaction.contentUuid!, chunks: transaction.contentChunks, size: transaction.size };
    const payload = provisionedDocument(transaction, clientIdentifier, 'bare');
    const content = () => this.store.parts(ref, key);
    const result = await this.push.run(endpoint.target, endpoint.secrets, transaction.uuid, payload, content, cut);
    // It still is due: whoever comes next sends it again, with the same Idempotency-Key.
    if (cut.aborted && result.errorCode !== null) return false;
    return this.settle.run(transaction, through, startedAt, result);
  }

  /** Null when the connection has been deleted since its documents were looked up. */
  private async keyOf({ uuid, connectionUuid }: Transaction): Promise<Buffer | null> {
    const em = this.em.fork();
    try {
      return await this.vault.key(em, connectionUuid);
    } catch (error) {
      if ((await em.count(Transaction, { uuid })) === 0) return null;
      throw error;
    }
  }
}
