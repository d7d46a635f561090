import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { Audit } from '../../platform/audit/audit';
import { Clock } from '../../platform/clock/clock';
import { KeyManager } from '../../platform/crypto/key-manager';
import { sql } from '../../platform/database/sql';
import { createPartitions } from '../../platform/history/create-partitions';
import type { RetentionClass } from '../../platform/history/retention-class';
import { releaseLeases } from '../fence/leases';
import {
  assertCode,
  codeOf,
  endTransfer,
  lockTransferState,
  readEnvironmentKey,
  setFence,
  TransferError,
} from '../transfer';

/** The target begins to serve an imported environment, in one transaction. */
@Injectable()
export class ActivateEnvironment {
  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
    private readonly keyManager: KeyManager,
    private readonly audit: Audit,
  ) {}

  /** Returns the code with which the source may delete its copy. @throws TransferError when the code is not that of the source */
  async activate(actor: string, environmentUuid: string, code: string): Promise<string> {
    await this.createPartitions(environmentUuid);
    const key = await readEnvironmentKey(this.em.fork(), this.keyManager, environmentUuid);
    return this.em.fork().transactional(async (em) => {
      const { environment, transfer } = await lockTransferState(em, environmentUuid);
      if (environment?.fence !== 'ARRIVING' || !transfer || !key) {
        throw new TransferError(`The environment ${environmentUuid} does not wait for its activation.`);
      }
      assertCode(code, codeOf(key, transfer.uuid, 'ACTIVATION'), 'environment confirm-export');
      await releaseLeases(em, environmentUuid, transfer.uuid);
      await setFence(em, environmentUuid, null);
      await endTransfer(em, environmentUuid);
      const details = { transfer_uuid: transfer.uuid };
      const action = 'environment.activate';
      await this.audit.insert(em, { environmentUuid, actor, action, subjectUuid: environmentUuid, details });
      return codeOf(key, transfer.uuid, 'COMPLETION');
    });
  }

  /** Those of its retention class, which no other environment here may have. */
  private async createPartitions(environmentUuid: string): Promise<void> {
    await this.em.fork().transactional(async (em) => {
      const rows = await sql<{ retention_class: RetentionClass }>(
        em,
        'select retention_class from environment where uuid = $1',
        [environmentUuid],
      );
      const classes = rows.map(({ retention_class }) => retention_class);
      await createPartitions((text, parameters) => sql(em, text, parameters), this.clock.now(), classes);
    });
  }
}
