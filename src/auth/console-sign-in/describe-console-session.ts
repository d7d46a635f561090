import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { Settings } from '../../platform/config/settings';
import type { Caller } from '../../platform/http/access/access.decorator';
import { ConsoleSession } from '../console-session/console-session.entity';
import { readSessionCookie } from '../console-session/session-cookie';
import { consoleSessionView, type ConsoleSessionView } from './console-session.view';

/** `GET /v1/console/session` (decisions 3): the session of the browser, with its CSRF token. */
@Injectable()
export class DescribeConsoleSession {
  constructor(
    private readonly em: EntityManager,
    private readonly settings: Settings,
  ) {}

  async describe({ credential }: Caller, { headers }: Pick<Request, 'headers'>): Promise<ConsoleSessionView> {
    const session = await this.em.fork().findOneOrFail(ConsoleSession, credential);
    return consoleSessionView(session, readSessionCookie(headers.cookie, this.settings.publicUrl)!);
  }
}
