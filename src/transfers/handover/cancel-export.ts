import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { Audit } from '../../platform/audit/audit';
import { releaseLeases } from '../fence/leases';
import { endTransfer, lockTransferState, setFence, TransferError } from '../transfer';

/** Lets the source serve the environment again. Its export can no longer be activated anywhere: that needs a code of this transfer. */
@Injectable()
export class CancelExport {
  constructor(
    private readonly em: EntityManager,
    private readonly audit: Audit,
  ) {}

  /** @throws TransferError when the environment is not being exported, or its import has been confirmed */
  async cancel(actor: string, environmentUuid: string): Promise<void> {
    await this.em.fork().transactional(async (em) => {
      const { environment, transfer } = await lockTransferState(em, environmentUuid);
      if (environment?.fence === 'MOVED') {
        throw new TransferError(
          'The import has been confirmed: the target may serve the environment, so this installation must not.',
        );
      }
      if (environment?.fence !== 'MOVING' || !transfer) {
        throw new TransferError(`The environment ${environmentUuid} is not being exported.`);
      }
      await releaseLeases(em, environmentUuid, transfer.uuid);
      await setFence(em, environmentUuid, null);
      await endTransfer(em, environmentUuid);
      const details = { transfer_uuid: transfer.uuid };
      const action = 'environment.cancel-export';
      await this.audit.insert(em, { environmentUuid, actor, action, subjectUuid: environmentUuid, details });
    });
  }
}
