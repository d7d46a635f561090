import { isAcceptedKey } from '../keys/api-key.entity';
import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { Clock } from '../../platform/clock/clock';
import { Conditions } from '../../platform/database/conditions';
import { sql } from '../../platform/database/sql';
import type { Page } from '../../platform/errors/envelope';
import { forbidden } from '../../platform/errors/errors';
import type { Caller, ConsoleRole } from '../../platform/http/access/access.decorator';
import { DEFAULT_LIMIT, pageOf, uuidCursor } from '../../platform/http/input/page';
import {
  type ConsoleSessionRow,
  type ConsoleSessionSummaryView,
  consoleSessionSummaryView,
  type ListConsoleSessionsQuery,
} from './console-session-summary.view';

interface Filter {
  readonly environmentUuid: string | null;
  readonly role: ConsoleRole | null;
  /** The session after which the page begins. */
  readonly after: string | null;
  readonly limit: number;
}

/** The sessions of the console that have not ended, newest first (decisions 3). */
@Injectable()
export class ListConsoleSessions {
  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
  ) {}

  /**
   * `GET /v1/console/sessions`: for a developer those of developers in the environment, for the support team all.
   * @throws ApiError 403 `NOT_YOUR_ENVIRONMENT` for the filter of a developer
   */
  async list(
    { session, environmentUuid: own }: Caller,
    query: ListConsoleSessionsQuery,
  ): Promise<Page<ConsoleSessionSummaryView>> {
    const { environment_uuid: asked, cursor, limit = DEFAULT_LIMIT } = query;
    const isDeveloper = session!.role === 'DEVELOPER';
    if (isDeveloper && asked !== undefined && asked !== own) throw forbidden('NOT_YOUR_ENVIRONMENT');
    const rows = await this.find({
      environmentUuid: isDeveloper ? own : (asked ?? null),
      role: isDeveloper ? 'DEVELOPER' : null,
      after: uuidCursor({ cursor }),
      limit: limit + 1,
    });
    const { page, meta } = pageOf(rows, limit);
    return {
      data: page.map((row) => consoleSessionSummaryView(row, session!.uuid)),
      meta,
    };
  }

  find({ environmentUuid, role, after, limit }: Filter): Promise<ConsoleSessionRow[]> {
    const conditions = new Conditions()
      .and('s.expires_at > ? and s.revoked_at is null', this.clock.now())
      // It ends with the key that has opened it.
      .and(`(s.key_uuid is null or ${isAcceptedKey('k', '?')})`, this.clock.now())
      .and('s.environment_uuid = ?', environmentUuid)
      .and('s.role = ?', role)
      .and('s.uuid < ?', after);
    return sql<ConsoleSessionRow>(
      this.em.fork(),
      `select s.uuid, s.role, s.environment_uuid, s.opened_by, s.user_agent, s.created_at, s.last_used_at, s.expires_at
       from console_session s left join api_key k on k.uuid = s.key_uuid
       ${conditions.text} order by s.uuid desc limit ${limit}`,
      conditions.parameters,
    );
  }
}
