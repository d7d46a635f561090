import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { sql } from '../../../platform/database/sql';
import type { CongestionWindow } from './congestion-window';

/**
 * Remembers for all processes which endpoints answer promptly: the calendar keeps places for them. An address that is new is
 * not among them until its first answer.
 */
@Injectable()
export class PromptEndpoints {
  constructor(private readonly em: EntityManager) {}

  /** Writes down what a drain has found, when it is not what was known before. Failures are written with their attempts. */
  async record(environmentUuid: string, knownAsPrompt: boolean, flow: CongestionWindow): Promise<void> {
    const { prompt, hasResponded: hasAnswered, addressVersion } = flow;
    if (!hasAnswered || prompt === knownAsPrompt) return;
    await sql(
      this.em.fork(),
      `insert into endpoint (environment_uuid, consecutive_failures, prompt)
       select uuid, 0, $2 from environment where uuid = $1 and address_version = $3
       on conflict (environment_uuid) do update set prompt = excluded.prompt`,
      [environmentUuid, prompt, addressVersion],
    );
  }
}
