import type { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { MAX, validate as isUuid } from 'uuid';
import { statusOf } from '../../identities/connection-status';
import { DEFAULT_LIMIT, encodeCursor, uuidCursor } from '../../platform/http/input/page';
import { ReadReplica } from '../../platform/replica/read-replica';
import type { ConnectionRecord } from '../state/connection-record';
import { healthOf } from '../state/connection-state';
import { type Candidates, readCandidates } from './candidates';
import { PresentConnections } from './present-connections';
import type { ConsoleConnectionPage } from './console-connection.view';
import { findMatches } from './find-matches';
import type { SearchConnectionsQuery } from './search-connections.dto';

/** Connections per statement while a filter is applied. */
const CHUNK = 500;
/** Connections that one request looks at: a filter that few of them fulfill ends the page early, and the cursor continues. */
const MAX_EXAMINED = 5_000;

/** Connections of a page, and where the next one continues; null at the end. */
interface Found {
  readonly connections: readonly ConnectionRecord[];
  readonly next: string | null;
}

/**
 * `GET /v1/console/connections` (decisions 10): connections of the environment, newest first. A page costs as much as it examines,
 * whatever the number of connections is. The cursor is a connection, so rows that are added or change do not move the others.
 */
@Injectable()
export class SearchConnections {
  constructor(
    private readonly replica: ReadReplica,
    private readonly presenter: PresentConnections,
  ) {}

  /** @throws ApiError 422 `VALIDATION_FAILED` naming `cursor` */
  async search(environmentUuid: string, query: SearchConnectionsQuery): Promise<ConsoleConnectionPage> {
    const limit = query.limit ?? DEFAULT_LIMIT;
    const before = uuidCursor(query) ?? MAX;
    const { connections, next, truncated } = await this.replica.read(async (em) => {
      const { candidates, ...rest } = await this.candidatesFor(em, environmentUuid, query);
      return { ...rest, ...(await this.find(em, environmentUuid, candidates, query, before, limit)) };
    });
    return {
      data: await this.presenter.present(connections),
      meta: { next_cursor: next && encodeCursor([next]), has_more: next !== null, truncated },
    };
  }

  private async candidatesFor(
    em: EntityManager,
    environmentUuid: string,
    { q = '', status, health, integration_id: integrationId }: SearchConnectionsQuery,
  ): Promise<{ candidates: Candidates; truncated: boolean }> {
    const text = q.trim();
    if (isUuid(text))
      return { candidates: { from: 'matches', connections: [text], identities: [text] }, truncated: false };
    if (text !== '') {
      const { hasMore, ...matches } = await findMatches(em, environmentUuid, text);
      return { candidates: { from: 'matches', ...matches }, truncated: hasMore };
    }
    const isUnhealthy = health === 'DEGRADED' || health === 'ACTION_REQUIRED';
    if (isUnhealthy || (status !== undefined && status !== 'ACTIVE')) {
      return { candidates: { from: 'attention' }, truncated: false };
    }
    const candidates =
      integrationId === undefined ? { from: 'all' as const } : { from: 'integration' as const, integrationId };
    return { candidates, truncated: false };
  }

  private async find(
    em: EntityManager,
    environmentUuid: string,
    candidates: Candidates,
    { status, health, integration_id: integrationId }: SearchConnectionsQuery,
    before: string,
    limit: number,
  ): Promise<Found> {
    const matches = (connection: ConnectionRecord) =>
      (status === undefined || statusOf(connection) === status) &&
      (health === undefined || healthOf(connection) === health) &&
      (integrationId === undefined || connection.integrationId === integrationId);
    const isFiltered = (status ?? health ?? integrationId) !== undefined;
    const chunk = isFiltered ? CHUNK : limit + 1;
    const found: ConnectionRecord[] = [];
    let last = before;
    for (let examined = 0; examined < MAX_EXAMINED; examined += chunk) {
      const rows = await readCandidates(em, environmentUuid, candidates, last, chunk);
      found.push(...rows.filter(matches));
      if (found.length > limit) return { connections: found.slice(0, limit), next: found[limit - 1]!.uuid };
      if (rows.length < chunk) return { connections: found, next: null };
      last = rows.at(-1)!.uuid;
    }
    return { connections: found, next: last };
  }
}
