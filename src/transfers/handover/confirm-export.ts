import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { Audit } from '../../platform/audit/audit';
import { KeyManager } from '../../platform/crypto/key-manager';
import { assertCode, codeOf, lockTransferState, readEnvironmentKey, setFence, TransferError } from '../transfer';

/** The source gives the environment up, for good: only after this commit exists the code with which the target begins. */
@Injectable()
export class ConfirmExport {
  constructor(
    private readonly em: EntityManager,
    private readonly keyManager: KeyManager,
    private readonly audit: Audit,
  ) {}

  /** Returns the activation code, also when repeated. @throws TransferError when the receipt is not that of the import */
  async confirm(actor: string, environmentUuid: string, receipt: string): Promise<string> {
    const key = await readEnvironmentKey(this.em.fork(), this.keyManager, environmentUuid);
    return this.em.fork().transactional(async (em) => {
      const { environment, transfer } = await lockTransferState(em, environmentUuid);
      if (transfer?.direction !== 'OUT' || !key) {
        throw new TransferError(`The environment ${environmentUuid} is not being exported.`);
      }
      assertCode(receipt, codeOf(key, transfer.uuid, 'RECEIPT'), 'environment import');
      if (environment?.fence !== 'MOVED') {
        await setFence(em, environmentUuid, 'MOVED');
        const details = { transfer_uuid: transfer.uuid };
        const action = 'environment.confirm-export';
        await this.audit.insert(em, { environmentUuid, actor, action, subjectUuid: environmentUuid, details });
      }
      return codeOf(key, transfer.uuid, 'ACTIVATION');
    });
  }
}
