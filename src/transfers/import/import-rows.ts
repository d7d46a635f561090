import { Injectable } from '@nestjs/common';
import type { Client } from 'pg';
import { v7 as uuid } from 'uuid';
import { Clock } from '../../platform/clock/clock';
import { Settings } from '../../platform/config/settings';
import { withClient } from '../../platform/database/with-client';
import { type Frame, parseFrame } from '../file/frames';
import type { EndFrame, Header, TableFrame } from '../file/header';
import { FEED_SEQUENCES, MOVED_TABLES } from '../moved-tables';
import { isNotAnExport, TransferError } from '../transfer';
import { importTable } from './import-table';

/** Unused positions between the last one of the source and the next one of this installation. */
const POSITION_GAP = 1_000_000;

/** Imports the rows of all tables in one transaction, which is committed only after the last byte of the file is authenticated. */
@Injectable()
export class ImportRows {
  constructor(
    private readonly settings: Settings,
    private readonly clock: Clock,
  ) {}

  /** `first` is the frame after the contents. @throws TransferError when the file is incomplete, and nothing is imported then */
  async import(actor: string, header: Header, first: Frame, frames: AsyncGenerator<Frame, void>): Promise<void> {
    await withClient(this.settings.databaseUrl!, async (client) => {
      await client.query('begin');
      await lockTransfer(client, header);
      const end = await importTables(client, header.environment_uuid, first, frames);
      await assertComplete(client, header.environment_uuid, end);
      await advanceSequences(client, header.positions);
      await this.recordAudit(client, actor, header);
      await client.query('commit');
    });
  }

  private async recordAudit(client: Client, actor: string, header: Header): Promise<void> {
    await client.query(
      `insert into audit_log (uuid, environment_uuid, actor, action, subject_uuid, details, created_at)
       values ($1, $2, $3, 'environment.import', $2, $4, $5)`,
      [uuid(), header.environment_uuid, actor, { transfer_uuid: header.transfer_uuid }, this.clock.now()],
    );
  }
}

/**
 * Keeps the transfer from being discarded before the rows are committed.
 * @throws TransferError when it has been discarded
 */
async function lockTransfer(client: Client, { environment_uuid, transfer_uuid }: Header): Promise<void> {
  const { rows } = await client.query(
    'select from environment_transfer where environment_uuid = $1 and uuid = $2 for share',
    [environment_uuid, transfer_uuid],
  );
  if (rows.length === 0) throw new TransferError('The import was discarded meanwhile: run it again.');
}

async function importTables(
  client: Client,
  environmentUuid: string,
  first: Frame,
  frames: AsyncGenerator<Frame, void>,
): Promise<EndFrame> {
  const missing = new Set<string>(MOVED_TABLES);
  for (let next = first; ;) {
    if (next.type === 'Z') {
      // Reads to the end of the file, which is authenticated there.
      if (!(await frames.next()).done || missing.size > 0) throw isNotAnExport();
      return parseFrame<EndFrame>(next);
    }
    if (next.type !== 'T') throw isNotAnExport();
    const table = parseFrame<TableFrame>(next);
    await importTable(client, environmentUuid, table, frames);
    missing.delete(table.table);
    const { done, value } = await frames.next();
    if (done) throw isNotAnExport();
    next = value;
  }
}

/** @throws TransferError when keys or documents are missing, for example because they were discarded meanwhile */
async function assertComplete(client: Client, environmentUuid: string, { keys, contents }: EndFrame): Promise<void> {
  const { rows } = await client.query<{ keys: number; contents: number }>(
    `select (select count(*)::int from data_key where environment_uuid = $1) as keys,
       (select count(*)::int from content where environment_uuid = $1 and attached_at is not null) as contents`,
    [environmentUuid],
  );
  if (rows[0]!.keys === keys && rows[0]!.contents === contents) return;
  throw new TransferError('Documents of the environment are missing: run the import again.');
}

/**
 * Moves the sequences behind all positions that the source has assigned, those of deleted rows included: cursors of clients contain
 * them. Read and set are two steps, and other environments get positions meanwhile: their distance is too large for that to matter.
 */
async function advanceSequences(client: Client, positions: Header['positions']): Promise<void> {
  for (const sequence of FEED_SEQUENCES) {
    const last = BigInt(positions[sequence]);
    await client.query(`select setval('${sequence}', $1::bigint) from ${sequence} where last_value < $2::bigint`, [
      String(last + BigInt(2 * POSITION_GAP)),
      String(last + BigInt(POSITION_GAP)),
    ]);
  }
}
