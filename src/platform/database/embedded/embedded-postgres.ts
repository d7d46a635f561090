import { setTimeout as pause } from 'node:timers/promises';
import { withClient } from '../with-client';
import { findBinaries } from './binaries';
import { ensureCluster, readPassword, SUPERUSER } from './cluster';
import { claimOwnership, findOwnerPid, openClusterFolder, type ClusterFolder } from './cluster-folder';
import { restartOnExit } from './restart-on-exit';
import { startServer } from './start-server';
import { findPostmaster, waitForExit } from './postmaster';
import { availableMemory, postgresSettings } from './postgres-settings';
import { withStartLock } from './start-lock';

const DATABASE = 'docfetch';
const ADOPT_TIMEOUT_MS = 60_000;
const POLL_MS = 100;

/** The database server that belongs to the service itself (decisions 8: `DATABASE_URL` absent). */
export interface EmbeddedPostgres {
  /** Of the database `docfetch`, with its password. */
  readonly url: string;
  /** True when another process runs the server: it then stops with that process, not with `stop()`. */
  readonly adopted: boolean;
  /** The process that runs the server when it was adopted, otherwise null. */
  readonly ownerPid: number | null;
  /** Stops the server and resolves when it has ended; does nothing to an adopted one. May be called again. */
  stop(): Promise<void>;
}

export interface EmbeddedPostgresOptions {
  /** A folder for this server only; created when absent. */
  dataDir: string;
  /** False gives up safety against power loss for speed (tests). Default true. */
  durable?: boolean;
  /** Receives messages for a person at the terminal, one sentence each. */
  print?: (line: string) => void;
  /** Further PostgreSQL settings; they override the defaults. */
  settings?: Record<string, string>;
}

/**
 * Starts the embedded PostgreSQL (decisions 8) and creates its cluster if necessary, or adopts the server that another live
 * process runs in the same folder. When that process was killed, waits until its server has exited, then starts. The server
 * ends with this process, however it dies, and is restarted when it exits earlier. Rejects with an error of one line when it
 * cannot run here.
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const { durable = true, print = () => undefined } = options;
  const home = await openClusterFolder(options.dataDir, print);
  return withStartLock(home.lock, print, async () => {
    const adopted = await adopt(home);
    if (adopted) return adopted;
    const binaries = await findBinaries(home.account, print);
    await ensureCluster(home, binaries, durable, print);
    const password = await readPassword(home);
    await claimOwnership(home.owner);
    const settings = { ...postgresSettings(availableMemory(), durable), ...options.settings };
    const first = await startServer(home, binaries, settings, print);
    try {
      await ensureDatabase(urlOf(password, first.port, 'postgres'));
    } catch (error) {
      await first.stop();
      throw error;
    }
    const again = (port: number) =>
      withStartLock(home.lock, print, async () => {
        if (await findPostmaster(home.data)) throw new Error(`Another process runs the database in ${home.folder}.`);
        await claimOwnership(home.owner);
        return startServer(home, binaries, { ...settings, port: String(port) }, print);
      });
    const server = restartOnExit(first, again, print);
    return {
      url: urlOf(password, server.port, DATABASE),
      adopted: false,
      ownerPid: null,
      stop: () => server.stop(),
    };
  });
}

/** The server of another live process; null when no server is running (any more). */
async function adopt(home: ClusterFolder): Promise<EmbeddedPostgres | null> {
  const deadline = performance.now() + ADOPT_TIMEOUT_MS;
  for (let found = await findPostmaster(home.data); found; found = await findPostmaster(home.data)) {
    const ownerPid = await findOwnerPid(home.owner);
    if (ownerPid === null) {
      await waitForExit(home.data);
      return null;
    }
    const url = urlOf(await readPassword(home), found.port, DATABASE);
    if (found.ready && (await answers(url))) return { url, adopted: true, ownerPid, stop: async () => undefined };
    // It is stopping with its owner, or has no free connections.
    if (performance.now() > deadline) {
      throw new Error(`The database of process ${ownerPid} in ${home.folder} does not answer.`);
    }
    await pause(POLL_MS);
  }
  return null;
}

function urlOf(password: string, port: number, database: string): string {
  return `postgresql://${SUPERUSER}:${password}@127.0.0.1:${port}/${database}`;
}

async function answers(url: string): Promise<boolean> {
  try {
    await withClient(url, (client) => client.query('select 1'));
    return true;
  } catch {
    return false;
  }
}

async function ensureDatabase(url: string): Promise<void> {
  await withClient(url, async (client) => {
    const { rowCount } = await client.query('select 1 from pg_database where datname = $1', [DATABASE]);
    if (!rowCount) await client.query(`create database ${DATABASE}`);
  });
}
