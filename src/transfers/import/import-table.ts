import type { Client } from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { type Frame, parseFrame } from '../file/frames';
import type { TableFrame } from '../file/header';
import { environmentColumn, MOVED_TABLES } from '../moved-tables';
import { columnsOf, quoted } from '../table-columns';
import { isNotAnExport, TransferError } from '../transfer';

/**
 * Copies the rows of one table, whose frames follow, in the transaction of `client`.
 * @throws TransferError when rows are missing, or belong to another environment
 */
export async function importTable(
  client: Client,
  environmentUuid: string,
  { table, columns }: TableFrame,
  frames: AsyncGenerator<Frame, void>,
): Promise<void> {
  await assertTable(client, { table, columns });
  // An environment that returns: its former entries in the audit log are still here, because nothing can delete them.
  const isLog = table === 'audit_log';
  const target = isLog ? 'returning_audit_log' : table;
  if (isLog) await client.query(`create temporary table ${target} (like audit_log including defaults) on commit drop`);
  let expected = -1;
  async function* rows() {
    for (;;) {
      // Not with `for await`, which would end the frames after those of this table.
      const next = await frames.next();
      if (next.done) throw isNotAnExport();
      if (next.value.type === 'R') {
        yield next.value.payload;
      } else {
        if (next.value.type !== 'E') throw isNotAnExport();
        expected = parseFrame<{ rows: number }>(next.value).rows;
        return;
      }
    }
  }
  const list = columns.map(quoted).join(', ');
  const isOwn = `${quoted(environmentColumn(table))} = '${environmentUuid}'`;
  const copy = client.query(copyFrom(`copy ${quoted(target)} (${list}) from stdin where ${isOwn}`));
  await pipeline(Readable.from(rows(), { objectMode: false }), copy);
  if (copy.rowCount !== expected) {
    throw new TransferError(`The file does not contain exactly the rows of the environment in ${table}.`);
  }
  if (isLog) await client.query(`insert into audit_log (${list}) select ${list} from ${target} on conflict do nothing`);
}

async function assertTable(client: Client, { table, columns }: TableFrame): Promise<void> {
  const isKnown = (MOVED_TABLES as readonly string[]).includes(table);
  const own = isKnown ? await columnsOf(client, table) : [];
  if (own.length !== columns.length || columns.some((column) => !own.includes(column))) {
    throw new TransferError(
      `The table ${isKnown ? table : 'of the export'} differs from the one of this installation.`,
    );
  }
}
