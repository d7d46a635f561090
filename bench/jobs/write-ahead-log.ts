import type { Client } from 'pg';

/** Bytes of write-ahead log per unit of work. */
export interface LogBytes {
  /** Without images of whole pages: what the work itself writes. */
  readonly without: number;
  /** Directly after a checkpoint, when every page that is changed for the first time is logged as a whole: the maximum. */
  readonly withImages: number;
}

/** Runs the work twice, each time after its preparation, and returns the log that it writes, divided by `units`. */
export async function logBytes(
  client: Client,
  units: number,
  prepare: () => Promise<unknown>,
  work: () => Promise<unknown>,
): Promise<LogBytes> {
  const written = async () => {
    await prepare();
    await client.query('checkpoint');
    const { rows } = await client.query<{ at: string }>('select pg_current_wal_insert_lsn() as at');
    await work();
    const { rows: after } = await client.query<{ bytes: string }>(
      'select pg_wal_lsn_diff(pg_current_wal_insert_lsn(), $1) as bytes',
      [rows[0]!.at],
    );
    return Number(after[0]!.bytes) / units;
  };
  await setPageImages(client, false);
  try {
    const without = await written();
    await setPageImages(client, true);
    return { without, withImages: await written() };
  } finally {
    await setPageImages(client, true);
  }
}

async function setPageImages(client: Client, on: boolean): Promise<void> {
  await client.query(`alter system set full_page_writes = ${on ? 'on' : 'off'}`);
  await client.query('select pg_reload_conf()');
  for (;;) {
    const { rows } = await client.query<{ on: string }>('select current_setting($1) as on', ['full_page_writes']);
    if ((rows[0]!.on === 'on') === on) return;
  }
}
