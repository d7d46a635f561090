import { EntityManager } from '@mikro-orm/postgresql';
import { randomUUID } from 'node:crypto';
import { DocumentStore } from '../../../src/documents/store/document-store';
import type { DocumentType } from '../../../src/documents/metadata';
import { Environment } from '../../../src/identities/environments/environment.entity';
import { KeyManager } from '../../../src/platform/crypto/key-manager';
import { type NewDocument, RecordDocument } from '../../../src/transactions/record/record-document';
import type { TestApp } from '../../harness/app/start-app';

/** Pseudo-random numbers that are the same for the same seed. */
export function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/**
 * Decides the order in which open transactions commit: it lets them accumulate and then draws some of them, so that
 * they end in another order than they began.
 */
export class CommitOrder {
  private readonly waiting: (() => void)[] = [];
  private wanted = 1;

  constructor(
    private readonly random: () => number,
    private writers: number,
  ) {}

  /** Resolves when the transaction has been drawn. */
  drawn(): Promise<void> {
    return new Promise((resolve) => {
      this.waiting.push(resolve);
      this.draw();
    });
  }

  /** Called when a writer has finished. */
  leave(): void {
    this.writers--;
    this.draw();
  }

  private draw(): void {
    if (this.waiting.length === 0 || this.waiting.length < Math.min(this.wanted, this.writers)) return;
    const place = Math.floor(this.random() * this.waiting.length);
    const [next] = this.waiting.splice(place, 1);
    this.wanted = 1 + Math.floor(this.random() * this.writers);
    next!();
  }
}

const TYPES: readonly DocumentType[] = ['invoice', 'credit_note', 'document'];

/** Records documents of one connection as a fetch does, each call in a separate database transaction. */
export class Writer {
  constructor(
    private readonly app: TestApp,
    private readonly origin: { environment: string; identity: string; connection: string },
  ) {}

  /** Commits once `commit` resolves, and rolls back when it rejects. */
  async record(
    documents: number,
    commit: () => Promise<void>,
    stated: Partial<Pick<NewDocument, 'documentType' | 'metadata' | 'externalId'>> = {},
  ): Promise<void> {
    const get = <T>(type: new (...given: never[]) => T): T => this.app.app.get(type, { strict: false });
    const em = get(EntityManager as unknown as new () => EntityManager).fork();
    const { connection: connectionUuid, identity: identityUuid } = this.origin;
    const environment = await em.findOneOrFail(Environment, this.origin.environment);
    const key = await get(KeyManager).key(em, connectionUuid);
    const found: NewDocument[] = [];
    for (let index = 0; index < documents; index++) {
      const content = await get(DocumentStore).put(
        { uuid: connectionUuid, environmentUuid: environment.uuid },
        key,
        chunks('content'),
        new AbortController().signal,
      );
      const name = randomUUID();
      const described = { filename: `${name}.pdf`, mimeType: 'application/pdf', metadata: {}, externalId: null };
      found.push({ ...described, dedupeKey: name, documentType: TYPES[index % TYPES.length]!, content, ...stated });
    }
    await em.transactional(async (transaction) => {
      const origin = { connectionUuid, identityUuid, integrationId: 'sandbox', fetchUuid: randomUUID(), environment };
      await get(RecordDocument).record(transaction, origin, found);
      await commit();
    });
  }
}

async function* chunks(text: string): AsyncGenerator<Buffer> {
  yield await Promise.resolve(Buffer.from(text));
}
