import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { sql } from '../platform/database/sql';
import { KnownDocuments } from '../transactions/known-documents';

/** What earlier fetches, and this one, have found out about documents of a connection. */
@Injectable()
export class RememberedDocuments {
  constructor(
    private readonly em: EntityManager,
    private readonly known: KnownDocuments,
  ) {}

  /** Those of the keys whose document is recorded, or was read and is a recorded one's content; with the fetch that did so. */
  recorded(connectionUuid: string, keys: readonly string[]): Promise<{ dedupe_key: string; fetch_uuid: string }[]> {
    return this.known.run(connectionUuid, keys);
  }

  /** Those that could not be read and wait for another try. */
  async waiting(connectionUuid: string, keys: readonly string[]): Promise<ReadonlySet<string>> {
    if (keys.length === 0) return new Set();
    const rows = await sql<{ dedupe_key: string }>(
      this.em.fork(),
      'select dedupe_key from failed_document where connection_uuid = $1 and open and dedupe_key = any($2::text[])',
      [connectionUuid, keys],
    );
    return new Set(rows.map((row) => row.dedupe_key));
  }

  /** Both: a listing need not show them. What waits has its try when the listing is through. */
  async any(connectionUuid: string, keys: readonly string[]): Promise<ReadonlySet<string>> {
    const recorded = await this.recorded(connectionUuid, keys);
    return new Set([...recorded.map((row) => row.dedupe_key), ...(await this.waiting(connectionUuid, keys))]);
  }
}
