import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { Audit } from '../../platform/audit/audit';
import { KeyManager } from '../../platform/crypto/key-manager';
import { affected, sql } from '../../platform/database/sql';
import { deleteJobs } from '../../platform/jobs/job-queries';
import { environmentColumn, MOVED_TABLES, SESSION_TABLES } from '../moved-tables';
import { quoted } from '../table-columns';
import { assertCode, codeOf, endTransfer, lockTransferState, readEnvironmentKey, TransferError } from '../transfer';

/** Rows per transaction of the tables that may be large. */
const BATCH = 5_000;
/** Those tables with the columns that identify a row, in the order of the deletion. */
const LARGE_TABLES = {
  delivery_attempt: 'uuid',
  webhook_delivery: 'uuid',
  outbox: 'uuid',
  rendition: 'uuid',
  seen_version: 'connection_uuid, dedupe_key',
  document_failure: 'uuid',
  fetch_failure: 'fetch_uuid, dedupe_key',
  transaction: 'uuid',
  fetch: 'uuid',
} as const;
/** Contents have up to thousands of chunks each, which are deleted with them. */
const CONTENT_BATCH = 200;

/**
 * Deletes a copy of an environment that nobody serves here: that of the source after the move, or that of a target before its
 * activation. Can be interrupted and repeated. Its entries in the audit log stay until they expire, as nothing can delete them.
 */
@Injectable()
export class DeleteCopy {
  constructor(
    private readonly em: EntityManager,
    private readonly keyManager: KeyManager,
    private readonly audit: Audit,
  ) {}

  /** @throws TransferError unless the target has activated the environment, which `completionCode` proves */
  async deleteMoved(actor: string, environmentUuid: string, completionCode: string): Promise<void> {
    const key = await readEnvironmentKey(this.em.fork(), this.keyManager, environmentUuid);
    await this.em.fork().transactional(async (em) => {
      const { environment, transfer } = await lockTransferState(em, environmentUuid);
      if (environment?.fence !== 'MOVED' || !transfer || !key) {
        throw new TransferError(`The environment ${environmentUuid} has not been moved away.`);
      }
      assertCode(completionCode, codeOf(key, transfer.uuid, 'COMPLETION'), 'environment activate');
    });
    await this.deleteAll(actor, environmentUuid, 'environment.delete-moved');
  }

  /** @throws TransferError unless it was imported, in whole or in part, and is not activated */
  async discardImport(actor: string, environmentUuid: string): Promise<void> {
    await this.em.fork().transactional(async (em) => {
      const { environment, transfer } = await lockTransferState(em, environmentUuid);
      if (transfer?.direction === 'IN' && (environment?.fence ?? 'ARRIVING') === 'ARRIVING') return;
      throw new TransferError(`No import of the environment ${environmentUuid} waits for its activation.`);
    });
    await this.deleteAll(actor, environmentUuid, 'environment.discard-import');
  }

  private async deleteAll(actor: string, environmentUuid: string, action: string): Promise<void> {
    const { em } = this;
    for (const [table, key] of Object.entries(LARGE_TABLES)) {
      await deleteInBatches(em, { table, key, batch: BATCH }, environmentUuid);
    }
    await deleteInBatches(em, { table: 'content', key: 'uuid', batch: CONTENT_BATCH }, environmentUuid);
    const last = 'environment';
    const others = MOVED_TABLES.toReversed().filter((table) => table !== 'audit_log' && table !== last);
    await em.fork().transactional(async (transaction) => {
      // First, so that an import in progress ends before, with rows that are deleted here.
      await lockTransferState(transaction, environmentUuid);
      const keys = await sql<{ uuid: string }>(
        transaction,
        `select uuid from webhook where environment_uuid = $1 union all select uuid from redelivery where environment_uuid = $1`,
        [environmentUuid],
      );
      await deleteJobs(transaction, [environmentUuid, ...keys.map(({ uuid }) => uuid)]);
      for (const table of [...SESSION_TABLES, ...others]) {
        await sql(transaction, `delete from ${quoted(table)} where ${environmentColumn(table)} = $1`, [
          environmentUuid,
        ]);
      }
      // The code that permits the deletion follows from this key, so it is deleted with the transfer.
      await sql(transaction, 'delete from data_key where environment_uuid = $1', [environmentUuid]);
      await sql(transaction, 'delete from environment where uuid = $1', [environmentUuid]);
      await endTransfer(transaction, environmentUuid);
      await this.audit.insert(transaction, {
        environmentUuid: null,
        actor,
        action,
        subjectUuid: environmentUuid,
      });
    });
  }
}

async function deleteInBatches(
  em: EntityManager,
  { table, key, batch }: { readonly table: string; readonly key: string; readonly batch: number },
  environmentUuid: string,
): Promise<void> {
  for (let deleted = batch; deleted === batch;) {
    deleted = await affected(
      em.fork(),
      `delete from ${quoted(table)} where environment_uuid = $1 and (${key}) in (
         select ${key} from ${quoted(table)} where environment_uuid = $1 limit ${batch})`,
      [environmentUuid],
    );
  }
}
