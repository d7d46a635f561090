import { chmodSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { restoreBackup } from './drills/backup';
import { loseDatabase } from './drills/database';
import { fillDatabaseDisk, fillDataDir } from './drills/full-disk';
import { rotateKeys } from './drills/keys';
import { loseWorker } from './drills/worker';
import type { DrillContext } from './parts/context';
import { Report } from './parts/report';

const ROOT = resolve(__dirname, '../../..');
const PORTS_PER_DRILL = 20;
const DRILLS: Readonly<Record<string, (context: DrillContext) => Promise<void>>> = {
  backup: restoreBackup,
  keys: rotateKeys,
  worker: loseWorker,
  database: loseDatabase,
  'database-disk': fillDatabaseDisk,
  'data-dir-disk': fillDataDir,
};

/**
 * `npm run drill [name…]`: fails parts of a running installation as docs/operate/operations.md describes, one drill after
 * another, and compares the documents of the accepted connections with those received. Needs the programs of PostgreSQL 18
 * (`PGBIN`, or in PATH), `prometheus`, and for full disks root, which mounts a file system.
 */
async function main(names: readonly string[]): Promise<boolean> {
  const chosen = names.length === 0 ? Object.keys(DRILLS) : names;
  const speed = Number(process.env.DRILL_SPEED ?? '1');
  let firstPort = Number(process.env.PORT ?? '4500');
  let failed = 0;
  for (const name of chosen) {
    const drill = DRILLS[name];
    if (!drill) throw new Error(`There is no drill ${name}, only ${Object.keys(DRILLS).join(', ')}.`);
    const folder = mkdtempSync(join(tmpdir(), `docfetch-drill-${name}-`));
    // The account of PostgreSQL has to reach its folder.
    chmodSync(folder, 0o755);
    const report = new Report(name);
    await drill({ root: ROOT, folder, firstPort, report, seconds: (seconds) => (seconds * 1000) / speed });
    firstPort += PORTS_PER_DRILL;
    failed += report.failed;
    process.stdout.write(`${name}: ${report.passed} passed, ${report.failed} failed. Logs: ${folder}\n`);
  }
  return failed === 0;
}

main(process.argv.slice(2)).then(
  (held) => process.exit(held ? 0 : 1),
  (error: unknown) => {
    process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
    process.exit(1);
  },
);
