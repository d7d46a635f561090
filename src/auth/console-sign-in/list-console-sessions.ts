import { Injectable } from '@nestjs/common';
import type { Page } from '../../platform/errors/envelope';
import { forbidden } from '../../platform/errors/errors';
import type { Caller } from '../../platform/http/access/access.decorator';
import { DEFAULT_LIMIT, pageOf, uuidCursor } from '../../platform/http/input/page';
import type { ConsoleSessionSummaryView, ListConsoleSessionsQuery } from './console-session-summary.view';
import { FindConsoleSessions } from './find-console-sessions';

/** `GET /v1/console/sessions` (decisions 3). */
@Injectable()
export class ListConsoleSessions {
  constructor(private readonly sessions: FindConsoleSessions) {}

  /**
   * For a developer those of developers in the environment, for the support team all.
   * @throws ApiError 403 `NOT_YOUR_ENVIRONMENT` for the filter of a developer
   */
  async list(
    { session, environmentUuid: own }: Caller,
    query: ListConsoleSessionsQuery,
  ): Promise<Page<ConsoleSessionSummaryView>> {
    const { environment_uuid: asked, cursor, limit = DEFAULT_LIMIT } = query;
    const isDeveloper = session!.role === 'DEVELOPER';
    if (isDeveloper && asked !== undefined && asked !== own) throw forbidden('NOT_YOUR_ENVIRONMENT');
    const rows = await this.sessions.find({
      environmentUuid: isDeveloper ? own : (asked ?? null),
      role: isDeveloper ? 'DEVELOPER' : null,
      after: uuidCursor({ cursor }),
      limit: limit + 1,
    });
    const { page, meta } = pageOf(rows, limit);
    const data = page.map(({ uuid, ...found }) => ({
      session_uuid: uuid,
      ...found,
      is_current: uuid === session!.uuid,
    }));
    return { data, meta };
  }
}
