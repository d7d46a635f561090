import { EntityManager, LockMode } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { randomBytes } from 'node:crypto';
import { v7 as uuid } from 'uuid';
import { Environment } from '../../identities/environments/environment.entity';
import { Audit } from '../../platform/audit/audit';
import { Clock } from '../../platform/clock/clock';
import { lockServed } from '../../platform/database/served-environment';
import { ApiKey } from './api-key.entity';
import { digestOf } from './authenticate-key';
import { type KeyLimits, storedLimits } from './key-limits';

/** Issues, lists and revokes the keys of an environment (decisions 3 and 7). */
@Injectable()
export class ManageKeys {
  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
    private readonly audit: Audit,
  ) {}

  /**
   * The key is returned only here and not stored. Joins the transaction of `em` if there is one.
   * @throws Error when the environment does not exist
   */
  async issue(
    actor: string,
    environmentUuid: string,
    expiresAt: Date | null,
    limits: KeyLimits = {},
    em = this.em.fork(),
  ): Promise<{ key: string; record: ApiKey }> {
    return em.transactional(async (tx) => {
      await lockServed(tx, environmentUuid);
      const environment = await tx.findOne(Environment, environmentUuid);
      if (!environment) throw new Error(`There is no environment ${environmentUuid}.`);
      const prefix = `df_${environment.kind.toLowerCase()}_`;
      const key = prefix + randomBytes(32).toString('base64url');
      const { scopes, allowedIps } = storedLimits(limits);
      const record = tx.create(ApiKey, {
        uuid: uuid(),
        environmentUuid,
        digest: digestOf(key),
        prefix,
        lastFour: key.slice(-4),
        createdAt: this.clock.now(),
        expiresAt,
        scopes,
        allowedIps,
      });
      tx.persist(record);
      const details = { ...(scopes && { scopes }), ...(allowedIps && { allowed_ips: allowedIps }) };
      this.audit.record(tx, { environmentUuid, actor, action: 'key.issue', subjectUuid: record.uuid, details });
      return { key, record };
    });
  }

  /** Oldest first. @throws Error when there is no such environment */
  async list(environmentUuid: string): Promise<ApiKey[]> {
    const em = this.em.fork();
    if ((await em.count(Environment, { uuid: environmentUuid })) === 0) {
      throw new Error(`There is no environment ${environmentUuid}.`);
    }
    return em.find(ApiKey, { environmentUuid }, { orderBy: { uuid: 'asc' } });
  }

  /** Takes effect immediately; a key that is revoked already stays as it is. @throws Error when the key does not exist */
  async revoke(actor: string, keyUuid: string): Promise<ApiKey> {
    return this.em.fork().transactional(async (em) => {
      const record = await em.findOne(ApiKey, keyUuid, { lockMode: LockMode.PESSIMISTIC_WRITE });
      if (!record) throw new Error(`There is no key ${keyUuid}.`);
      await lockServed(em, record.environmentUuid);
      if (record.revokedAt) return record;
      record.revokedAt = this.clock.now();
      this.audit.record(em, {
        environmentUuid: record.environmentUuid,
        actor,
        action: 'key.revoke',
        subjectUuid: record.uuid,
      });
      return record;
    });
  }
}
