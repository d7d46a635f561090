import { stringify } from 'csv-stringify';
import type { Response } from 'express';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

/**
 * Sends rows as CSV (RFC 4180, UTF-8), one after the other as the receiver takes them. A text that a spreadsheet program would
 * evaluate gets an apostrophe in front. The byte order mark lets Excel recognize the encoding.
 * An error before the first row becomes an error response; a later one ends the connection, so that the receiver notices that the
 * file is incomplete.
 */
export async function sendCsv<Row extends object>(
  response: Response,
  filename: string,
  columns: readonly (keyof Row & string)[],
  rows: AsyncIterable<Row>,
): Promise<void> {
  const iterator = rows[Symbol.asyncIterator]();
  const first = await iterator.next();
  response
    .setHeader('Content-Type', 'text/csv; charset=utf-8; header=present')
    .setHeader('Content-Disposition', `attachment; filename="${filename}"`);
  const csv = stringify({
    header: true,
    bom: true,
    columns: [...columns],
    record_delimiter: 'windows',
    escape_formulas: true,
  });
  await pipeline(Readable.from(startingWith(first, iterator)), csv, response);
}

async function* startingWith<Row>(first: IteratorResult<Row>, rest: AsyncIterator<Row>): AsyncGenerator<Row> {
  for (let result = first; !result.done; result = await rest.next()) yield result.value;
}
