import { chmod, mkdtemp, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { eventually } from '../../harness/eventually';
import {
  startEmbeddedPostgres,
  type EmbeddedPostgres,
} from '../../../src/platform/database/embedded/embedded-postgres';
import { deleteClusterFolder, openClusterFolder } from '../../../src/platform/database/embedded/cluster-folder';
import { findPostmaster, waitForExit } from '../../../src/platform/database/embedded/postmaster';

describe('An embedded PostgreSQL that exits unexpectedly', () => {
  let base: string;
  let data: string;
  let server: EmbeddedPostgres;
  let output: string[];

  beforeEach(async () => {
    base = await mkdtemp(join(tmpdir(), 'docfetch-embedded-'));
    await chmod(base, 0o755);
    output = [];
    const dataDir = join(base, 'postgres');
    server = await startEmbeddedPostgres({ dataDir, durable: false, print: (line) => output.push(line) });
    ({ data } = await openClusterFolder(dataDir, () => undefined));
    await ask('create table kept as select 1 as one');
  });
  afterEach(async () => {
    await server.stop();
    await waitForExit(data);
    await deleteClusterFolder(join(base, 'postgres'));
    await rm(base, { recursive: true });
  });

  async function ask(text: string): Promise<unknown[]> {
    const client = new Client({ connectionString: server.url });
    client.on('error', () => undefined); // it is about to be killed
    await client.connect();
    try {
      return (await client.query(text)).rows;
    } finally {
      await client.end();
    }
  }

  async function killed(): Promise<void> {
    process.kill((await findPostmaster(data))!.pid, 'SIGKILL');
    await waitForLine(/^PostgreSQL has stopped unexpectedly/);
  }

  const waitForLine = (line: RegExp) => eventually(async () => output.some((one) => line.test(one)), String(line));

  it('is restarted on the same port with its data, and is not restarted after a stop', async () => {
    await killed();
    await waitForLine(/^PostgreSQL runs again\.$/);
    await expect(ask('select one from kept')).resolves.toEqual([{ one: 1 }]);

    await server.stop();
    expect(await findPostmaster(data)).toBeNull();
  });

  it('is restarted every time it exits', async () => {
    for (let time = 0; time < 2; time++) {
      await killed();
      await waitForLine(/^PostgreSQL runs again\.$/);
      output.length = 0;
    }
    await expect(ask('select one from kept')).resolves.toEqual([{ one: 1 }]);
  });

  it('is retried until it runs, and the error is logged once', async () => {
    const [file, aside] = [join(data, 'PG_VERSION'), join(base, 'PG_VERSION')];
    await rename(file, aside);
    await killed();
    await waitForLine(/PG_VERSION[^]*It is tried again until it runs\.$/);
    await rename(aside, file);
    await waitForLine(/^PostgreSQL runs again\.$/);
    expect(output.filter((line) => line.includes('PG_VERSION'))).toHaveLength(1);
  });

  it('can be stopped while it is not running, and stays stopped', async () => {
    await killed();
    await server.stop();
    expect(await findPostmaster(data)).toBeNull();
    expect(output).not.toContain('PostgreSQL runs again.');
  });
});
