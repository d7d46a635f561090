import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { Clock } from '../../platform/clock/clock';
import { Conditions } from '../../platform/database/conditions';
import { sql } from '../../platform/database/sql';
import type { ConsoleRole } from '../../platform/http/access/access.decorator';
import { isAcceptedKey } from '../keys/api-key.entity';

interface Filter {
  readonly environmentUuid: string | null;
  readonly role: ConsoleRole | null;
  /** The session after which the page begins. */
  readonly after: string | null;
  readonly limit: number;
}

/** A session that has not ended. Times are RFC 3339. */
export interface FoundConsoleSession {
  readonly uuid: string;
  readonly role: ConsoleRole;
  readonly environment_uuid: string;
  readonly opened_by: string;
  readonly user_agent: string | null;
  readonly created_at: string;
  readonly last_used_at: string;
  readonly expires_at: string;
}

const time = (text: string): string => new Date(text).toISOString();

/** The sessions of the console that have not ended, newest first (decisions 3). */
@Injectable()
export class FindConsoleSessions {
  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
  ) {}

  async find({ environmentUuid, role, after, limit }: Filter): Promise<FoundConsoleSession[]> {
    const conditions = new Conditions()
      .and('s.expires_at > ? and s.revoked_at is null', this.clock.now())
      // It ends with the key that has opened it.
      .and(`(s.key_uuid is null or ${isAcceptedKey('k', '?')})`, this.clock.now())
      .and('s.environment_uuid = ?', environmentUuid)
      .and('s.role = ?', role)
      .and('s.uuid < ?', after);
    const rows = await sql<FoundConsoleSession>(
      this.em.fork(),
      `select s.uuid, s.role, s.environment_uuid, s.opened_by, s.user_agent, s.created_at, s.last_used_at, s.expires_at
       from console_session s left join api_key k on k.uuid = s.key_uuid
       ${conditions.text} order by s.uuid desc limit ${limit}`,
      conditions.parameters,
    );
    return rows.map((row) => ({
      ...row,
      created_at: time(row.created_at),
      last_used_at: time(row.last_used_at),
      expires_at: time(row.expires_at),
    }));
  }
}
