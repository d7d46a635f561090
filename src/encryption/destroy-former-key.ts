import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { Audit } from '../platform/audit/audit';
import { Clock } from '../platform/clock/clock';
import { lockServed } from '../platform/database/served-environment';
import { affected, sql } from '../platform/database/sql';
import { columnsOf, type KeyOwner } from './encrypted-columns';
import { EncryptionMetrics } from './encryption-metrics';
import { KEEP_FORMER_SECONDS } from './key-schedule';

/** Destroys a former version of a data key, in the transaction that finds nothing that needs it. */
@Injectable()
export class DestroyFormerKey {
  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
    private readonly audit: Audit,
    private readonly metrics: EncryptionMetrics,
  ) {}

  /** False when something needs it, or it is too early. */
  async destroy(owner: KeyOwner, version: number): Promise<boolean> {
    const destroyed = await this.em.fork().transactional((em) => this.destroyIn(em, owner, version));
    if (destroyed) this.metrics.countDestroyed();
    return destroyed;
  }

  private async destroyIn(em: EntityManager, owner: KeyOwner, version: number): Promise<boolean> {
    const { ownerUuid, environmentUuid } = owner;
    await lockServed(em, environmentUuid);
    // New content waits: its foreign key needs this row.
    await sql(em, 'select from data_key where owner_uuid = $1 for update', [ownerUuid]);
    if (await this.isNeeded(em, owner, version)) return false;
    const destroyed = await affected(
      em,
      'delete from data_key_version where owner_uuid = $1 and version = $2 and replaced_at <= $3',
      [ownerUuid, version, this.clock.in(-KEEP_FORMER_SECONDS)],
    );
    if (destroyed === 0) return false;
    await this.audit.insert(em, {
      environmentUuid,
      actor: 'service',
      action: 'encryption.destroy-data-key',
      subjectUuid: ownerUuid,
      details: { version },
    });
    return true;
  }

  private async isNeeded(em: EntityManager, owner: KeyOwner, version: number): Promise<boolean> {
    const users = [
      'select from content where owner_uuid = $1 and key_version <= $2',
      ...columnsOf(owner).map(
        ({ table, column, owner: of }) =>
          `select from ${table} where ${of} = $1 and ${column} is not null and ciphertext_key_version(${column}) <= $2`,
      ),
    ];
    const [row] = await sql<{ needed: boolean }>(
      em,
      `select ${users.map((user) => `exists (${user})`).join(' or ')} as needed`,
      [owner.ownerUuid, version],
    );
    return row!.needed;
  }
}
