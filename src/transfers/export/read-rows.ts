import type { Client } from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import { frame, jsonFrame } from '../file/frames';
import type { TableFrame } from '../file/header';
import { environmentColumn, MOVED_TABLES } from '../moved-tables';
import { columnsOf, quoted } from '../table-columns';

const MAX_PIECE_BYTES = 256 * 1024;

/** The rows of all moved tables, in the text format of COPY, which has every value exactly. */
export async function* readRows(client: Client, environmentUuid: string): AsyncGenerator<Buffer, void> {
  for (const table of MOVED_TABLES) {
    const columns = await columnsOf(client, table);
    yield jsonFrame('T', { table, columns } satisfies TableFrame);
    const selected = columns.map((column) => valueOf(table, column)).join(', ');
    const rows = client.query(
      copyTo(
        `copy (select ${selected} from ${quoted(table)} where ${environmentColumn(table)} = '${environmentUuid}') to stdout`,
      ),
    );
    for await (const piece of rows as AsyncIterable<Buffer>) {
      for (let at = 0; at < piece.length; at += MAX_PIECE_BYTES) {
        yield frame('R', piece.subarray(at, at + MAX_PIECE_BYTES));
      }
    }
    yield jsonFrame('E', { rows: rows.rowCount });
  }
}

/** At the target, the environment waits for its activation. */
const valueOf = (table: string, column: string): string =>
  table === 'environment' && column === 'fence' ? `'ARRIVING'` : quoted(column);
