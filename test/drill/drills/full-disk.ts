import { execFileSync } from 'node:child_process';
import { closeSync, existsSync, mkdirSync, openSync, readFileSync, rmSync, statfsSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { secondsSince } from '../parts/cluster';
import type { DrillContext } from '../parts/context';
import { Installation } from '../parts/installation';
import { withInstallation } from '../parts/with-installation';

/** Fills the file system with the data of PostgreSQL for twelve minutes, then frees it. */
export async function fillDatabaseDisk(context: DrillContext): Promise<void> {
  const { report, folder } = context;
  await withFileSystem(join(folder, 'disk'), '700m', async (disk) => {
    const inServer = { data: join(disk, 'data') };
    await withInstallation(
      context,
      async (installation, server) => {
        await installation.begin(300);
        await pause(context.seconds(30));
        const began = new Date();
        report.step('the file system of the database is filled');
        const filler = fill(disk);
        await pause(context.seconds(720));
        report.fact(`free: ${freeBytes(disk)} bytes; PostgreSQL runs: ${await server.isRunning()}`);
        report.step('the space is freed');
        rmSync(filler);
        const started = performance.now();
        if (!(await server.isRunning())) {
          report.step('pg_ctl start');
          await server.start();
          report.fact(`PostgreSQL accepts connections after ${secondsSince(started)} s`);
        }
        await pause(context.seconds(60));
        await installation.settle();
        installation.logs(began);
        showServerLog(report.fact.bind(report), server.log);
      },
      inServer,
    );
  });
}

/** The same for DATA_DIR, with the embedded database in it. */
export async function fillDataDir(context: DrillContext): Promise<void> {
  const { report, folder, root, firstPort } = context;
  await withFileSystem(join(folder, 'disk'), '500m', async (disk) => {
    const DATA_DIR = join(disk, 'data');
    const installation = new Installation(root, folder, report, firstPort, { DATA_DIR });
    try {
      await installation.startProcesses(['all']);
      await installation.begin(300);
      await pause(context.seconds(30));
      const began = new Date();
      report.step('the file system of DATA_DIR is filled');
      const filler = fill(disk);
      await pause(context.seconds(240));
      report.fact(`free: ${freeBytes(disk)} bytes`);
      report.step('the space is freed');
      rmSync(filler);
      await pause(context.seconds(60));
      await installation.settle();
      installation.logs(began);
      const log = [join(DATA_DIR, 'postgres/postgres.log'), join(DATA_DIR, 'postgres.log')].find(existsSync);
      if (log) showServerLog(report.fact.bind(report), log);
    } finally {
      await installation.end();
    }
  });
}

async function withFileSystem(path: string, size: string, work: (disk: string) => Promise<void>): Promise<void> {
  mkdirSync(path, { recursive: true });
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${size},mode=755`, 'tmpfs', path]);
  try {
    await work(path);
  } finally {
    execFileSync('umount', ['--lazy', path]);
  }
}

/** Writes a file until no byte is left; returns its path. */
function fill(disk: string): string {
  const filler = join(disk, 'filler');
  const file = openSync(filler, 'a');
  const block = Buffer.alloc(1024 * 1024);
  try {
    for (let size = block.length; size >= 512;) {
      try {
        writeSync(file, block, 0, size);
      } catch {
        size /= 2;
      }
    }
  } finally {
    closeSync(file);
  }
  return filler;
}

function freeBytes(disk: string): number {
  const { bavail, bsize } = statfsSync(disk);
  return bavail * bsize;
}

function showServerLog(say: (line: string) => void, file: string): void {
  const counts = new Map<string, number>();
  for (const line of readFileSync(file, 'utf8').split('\n')) {
    const message = /(ERROR|FATAL|PANIC|LOG): {2}(.*)/.exec(line);
    if (!message || !/No space|PANIC|shut|recovery|terminated/.test(line)) continue;
    const text = `${message[1]}: ${message[2]!.replace(/"[^"]*"/g, '"…"').replace(/\b\d+\b/g, '<n>')}`;
    counts.set(text, (counts.get(text) ?? 0) + 1);
  }
  for (const [text, times] of counts) say(`postgres.log: ${times} × ${text}`);
}
