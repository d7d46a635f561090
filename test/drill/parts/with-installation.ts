import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { Cluster } from './cluster';
import type { DrillContext } from './context';
import { Installation } from './installation';

/** Runs the work on a new installation in production, with a migrated PostgreSQL, and stops both. */
export async function withInstallation(
  { root, folder, firstPort, report }: DrillContext,
  work: (installation: Installation, server: Cluster) => Promise<void>,
  { data }: { data?: string } = {},
): Promise<void> {
  const server = await Cluster.create(join(folder, 'server'), firstPort + 10, data);
  const installation = Installation.production(root, folder, report, firstPort, server.url);
  try {
    const options = { env: installation.settings, cwd: root, encoding: 'utf8' as const };
    const { status, stderr } = spawnSync(process.execPath, [join(root, 'dist/src/migrate.js')], options);
    if (status !== 0) throw new Error(stderr);
    await installation.startProcesses();
    await work(installation, server);
  } finally {
    await installation.end();
    if (await server.isRunning()) await server.stop('fast');
  }
}
