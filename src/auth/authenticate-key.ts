import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { createHash } from 'node:crypto';
import { Environment } from '../identities/environment.entity';
import { Clock } from '../platform/clock';
import { sql } from '../platform/database/sql';
import type { Caller } from '../platform/http/access';
import { unauthorized } from '../platform/http/errors';
import { ApiKey } from './api-key.entity';

/** `df_<live|test>_<43 base64url characters>` (contract 3). */
export const API_KEY_FORMAT = /^df_(?:live|test)_[A-Za-z0-9_-]{43}$/;

/** How exact `last_used_at` is: a key in heavy use must not cost a write per request. */
const LAST_USED_PRECISION_SECONDS = 60;

/** Only this is stored. The key has 256 random bits, so a fast hash suffices. */
export const digestOf = (key: string): string => createHash('sha256').update(key).digest('hex');

/** Says whose an API key is. */
@Injectable()
export class AuthenticateKey {
  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
  ) {}

  /** @throws ApiError 401 `INVALID_API_KEY` when it is unknown, revoked or expired */
  async run(key: string): Promise<Caller> {
    if (!API_KEY_FORMAT.test(key)) throw unauthorized('INVALID_API_KEY');
    const em = this.em.fork();
    const found = await em.findOne(ApiKey, { digest: digestOf(key) });
    const now = this.clock.now();
    if (!found?.isUsable(now)) throw unauthorized('INVALID_API_KEY');
    await this.noteUse(em, found, now);
    const environment = await em.findOneOrFail(Environment, found.environmentUuid, { fields: ['kind'] });
    return {
      environmentUuid: found.environmentUuid,
      isTest: environment.kind === 'TEST',
      identityUuid: null,
      onlyConnectionUuid: null,
      onlyIntegrationId: null,
      actor: `key:${found.uuid}`,
    };
  }

  private async noteUse(em: EntityManager, key: ApiKey, now: Date): Promise<void> {
    const precision = LAST_USED_PRECISION_SECONDS * 1000;
    if (key.lastUsedAt && now.getTime() - key.lastUsedAt.getTime() < precision) return;
    await sql(em, 'update api_key set last_used_at = $2 where uuid = $1', [key.uuid, now]);
  }
}
