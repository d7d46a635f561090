import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { setTimeout as pause } from 'node:timers/promises';
import { v7 as uuid } from 'uuid';
import { Audit } from '../../platform/audit/audit';
import { Clock } from '../../platform/clock/clock';
import { lockExclusively } from '../../platform/database/served-environment';
import { sql } from '../../platform/database/sql';
import { lockTransferState, setFence, TransferError } from '../transfer';
import { leaseConnections } from './leases';
import { isDone, workInProgress, type WorkInProgress } from './work-in-progress';

const POLL_MS = 200;

/**
 * Fences an environment (decisions 7 "Moving"): from the first commit on, no request of it is answered and no work of it is claimed.
 * Then waits for what is still running, so that the export has its results.
 */
@Injectable()
export class FenceEnvironment {
  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
    private readonly audit: Audit,
  ) {}

  /** Returns the uuid of the transfer, which a repetition continues. @throws TransferError when it cannot be exported */
  async fence(actor: string, environmentUuid: string, waiting: (work: WorkInProgress) => void): Promise<string> {
    const transferUuid = await this.em.fork().transactional((em) => this.begin(em, actor, environmentUuid));
    await this.em.fork().transactional((em) => leaseConnections(em, environmentUuid, transferUuid));
    for (;;) {
      const work = await workInProgress(this.em.fork(), environmentUuid, transferUuid, this.clock.now());
      if (isDone(work)) return transferUuid;
      waiting(work);
      await pause(POLL_MS);
    }
  }

  private async begin(em: EntityManager, actor: string, environmentUuid: string): Promise<string> {
    // Waits for the transactions of its requests; later ones find the fence.
    await lockExclusively(em, environmentUuid);
    const { environment, transfer } = await lockTransferState(em, environmentUuid);
    if (!environment) throw new TransferError(`There is no environment ${environmentUuid}.`);
    if (environment.fence === 'ARRIVING') {
      throw new TransferError('The environment was imported here and is not activated yet.');
    }
    if (transfer) return transfer.uuid;
    const transferUuid = uuid();
    await sql(
      em,
      `insert into environment_transfer (environment_uuid, uuid, direction, created_at) values ($1, $2, 'OUT', $3)`,
      [environmentUuid, transferUuid, this.clock.now()],
    );
    await setFence(em, environmentUuid, 'MOVING');
    const details = { transfer_uuid: transferUuid };
    await this.audit.insert(em, {
      environmentUuid,
      actor,
      action: 'environment.export',
      subjectUuid: environmentUuid,
      details,
    });
    return transferUuid;
  }
}
