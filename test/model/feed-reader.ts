import type { TestClient } from '../harness/app/test-client';
import type { Model, Strategy } from './model';

interface FeedRow {
  readonly transaction_uuid: string;
  readonly connection_uuid: string;
  readonly provisioning: { readonly status: string; readonly next_attempt_at: string | null };
}

interface FeedAnswer {
  readonly data: readonly FeedRow[];
  readonly meta: { readonly has_more: boolean; readonly poll_cursor: string };
}

/** A client that follows the feed (decisions 5, polling): every transaction once, in the order of the feed. */
export class FeedReader {
  /** All transactions that it has received, in order. */
  readonly received = new Set<string>();
  /** Transactions that came more than once. */
  readonly repeated: string[] = [];
  private cursor: string | null = null;

  constructor(
    private readonly client: TestClient,
    private readonly strategy: Strategy,
  ) {}

  /** Reads one page; returns whether there are more. */
  async poll(model: Model, limit: number): Promise<boolean> {
    const { data, meta } = await this.page(limit, this.cursor);
    for (const { transaction_uuid: uuid, connection_uuid: connection } of data) {
      if (this.received.has(uuid)) this.repeated.push(uuid);
      this.received.add(uuid);
      if (!model.connections.has(connection)) continue;
      model.transactions.set(uuid, { uuid, connection, strategy: this.strategy, acknowledged: null });
    }
    this.cursor = meta.poll_cursor;
    return meta.has_more;
  }

  async pollToEnd(model: Model): Promise<void> {
    while (await this.poll(model, 100));
  }

  /** The whole feed from its beginning, as it is now. */
  async readAll(): Promise<FeedRow[]> {
    const rows: FeedRow[] = [];
    for (let cursor: string | null = null; ;) {
      const { data, meta }: FeedAnswer = await this.page(100, cursor);
      rows.push(...data);
      if (!meta.has_more) return rows;
      cursor = meta.poll_cursor;
    }
  }

  private async page(limit: number, cursor: string | null): Promise<FeedAnswer> {
    const query = `limit=${limit}${cursor === null ? '' : `&cursor=${encodeURIComponent(cursor)}`}`;
    const { body } = await this.client.request('get', `/v1/transactions?${query}`).expect(200);
    return body as FeedAnswer;
  }
}
