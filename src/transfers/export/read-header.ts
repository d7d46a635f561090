import type { Client } from 'pg';
import { HISTORY_TABLES } from '../../platform/history/history-partitions';
import { RETENTION_CLASSES } from '../../platform/history/retention-class';
import { FORMAT, type Header } from '../file/header';
import { FEED_SEQUENCES } from '../moved-tables';
import { executedMigrations } from '../table-columns';

/** Reads the header of an export, after the fence. */
export async function readHeader(client: Client, environmentUuid: string, transferUuid: string): Promise<Header> {
  const { rows: locations } = await client.query<{ location: string }>(
    'select distinct location from content where environment_uuid = $1 and location is not null',
    [environmentUuid],
  );
  const positions = {} as Record<(typeof FEED_SEQUENCES)[number], string>;
  for (const sequence of FEED_SEQUENCES) {
    const { rows } = await client.query<{ last: string }>(`select last_value as last from ${sequence}`);
    positions[sequence] = rows[0]!.last;
  }
  return {
    format: FORMAT,
    transfer_uuid: transferUuid,
    environment_uuid: environmentUuid,
    migrations: await executedMigrations(client),
    locations: locations.map(({ location }) => location),
    positions,
    oldest_rows: await oldestRows(client, environmentUuid),
  };
}

async function oldestRows(client: Client, environmentUuid: string): Promise<Record<string, string>> {
  const oldest: Record<string, string> = {};
  const read = async (name: string) => {
    const { rows } = await client.query<{ uuid: string }>(
      `select uuid from "${name}" where environment_uuid = $1 order by uuid limit 1`,
      [environmentUuid],
    );
    if (rows[0]) oldest[name] = rows[0].uuid;
  };
  for (const table of HISTORY_TABLES) {
    for (const retentionClass of RETENTION_CLASSES) await read(`${table}_${retentionClass.toLowerCase()}`);
  }
  await read('audit_log');
  return oldest;
}
