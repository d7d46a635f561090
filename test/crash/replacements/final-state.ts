import { DocumentStore } from '../../../src/documents/store/document-store';
import type { EncryptedValues } from '../../harness/encryption/encrypted-values';
import type { TestEngine } from '../../harness/engine/test-engine';
import { sha256 } from '../../interop/imap/mailbox-session';
import type { SlowBucket } from './slow-bucket';

interface RecordedContent {
  readonly uuid: string;
  readonly owner_uuid: string;
  readonly chunks: number;
  readonly tail_from: number | null;
  readonly size: string;
  readonly sha256: string;
  readonly transaction: string;
  readonly status: string;
  /** The lease of the process that was encrypting it again. */
  readonly reencrypting_until: Date | null;
}

/** What must be true when all data keys are replaced: the current keys alone decrypt everything. */
export class FinalState {
  constructor(
    private readonly engine: TestEngine,
    private readonly values: EncryptedValues,
    private readonly bucket: SlowBucket,
  ) {}

  /** Every value is what it was, or what a client has made of it. */
  async expectValues(
    environments: readonly string[],
    before: ReadonlyMap<string, string>,
    passwords: ReadonlyMap<string, string>,
  ): Promise<void> {
    const after = new Map<string, string>();
    for (const environment of environments) {
      const values = await this.values.read(environment, (owner) => this.values.currentKeyOf(owner));
      for (const [key, value] of values) after.set(key, value);
    }
    const expected = new Map(before);
    for (const [uuid, password] of passwords) {
      expected.set(`connection.secrets ${uuid}`, JSON.stringify({ password }));
    }
    expect(passwords.size).toBeGreaterThan(0);
    for (const [key, value] of expected) expect([key, after.get(key)]).toEqual([key, value]);
  }

  /** Every document is what was fetched and pushed, and exactly its chunks are stored. Returns their number. */
  async expectDocuments(pushed: ReadonlyMap<string, ReadonlySet<string>>): Promise<number> {
    const store = this.engine.app.app.get(DocumentStore, { strict: false });
    const contents = await this.engine.rows<RecordedContent>(
      `select c.uuid, c.owner_uuid, c.chunks, c.tail_from, c.size, c.reencrypting_until, t.sha256, t.uuid as transaction, t.status
       from content c join transaction t on t.content_uuid = c.uuid`,
    );
    for (const { uuid, owner_uuid, chunks, size, transaction, ...content } of contents) {
      const key = await this.values.currentKeyOf(owner_uuid);
      const parts = (await store.read({ uuid, chunks, size: Number(size) }, key).toArray()) as Buffer[];
      expect([uuid, sha256(Buffer.concat(parts))]).toEqual([uuid, content.sha256]);
      expect(content).toMatchObject({ status: 'DELIVERED', reencrypting_until: null });
      expect([transaction, ...(pushed.get(transaction) ?? [])]).toEqual([transaction, content.sha256]);
    }
    for (const table of ['content', 'transaction']) {
      expect(await this.engine.count(`select count(*) from ${table}`)).toBe(contents.length);
    }
    expect(await this.engine.count(`select count(*) from "fetch" where status <> 'SUCCEEDED'`)).toBe(0);
    this.bucket.expectExactly(contents);
    return contents.length;
  }
}
