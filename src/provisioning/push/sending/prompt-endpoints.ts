import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { sql } from '../../../platform/database/sql';
import type { CongestionWindow } from './congestion-window';

/**
 * Stores for all processes which endpoints respond promptly: the scheduler reserves capacity for them. A new address is
 * not among them until its first response.
 */
@Injectable()
export class PromptEndpoints {
  constructor(private readonly em: EntityManager) {}

  /** Stores the result of a drain when it differs from the stored one. Failures are recorded with their attempts. */
  async record(environmentUuid: string, knownAsPrompt: boolean, flow: CongestionWindow): Promise<void> {
    const { prompt, hasResponded: hasAnswered, endpointVersion } = flow;
    if (!hasAnswered || prompt === knownAsPrompt) return;
    await sql(
      this.em.fork(),
      `insert into endpoint (environment_uuid, consecutive_failures, prompt)
       select uuid, 0, $2 from environment where uuid = $1 and endpoint_version = $3
       on conflict (environment_uuid) do update set prompt = excluded.prompt`,
      [environmentUuid, prompt, endpointVersion],
    );
  }
}
