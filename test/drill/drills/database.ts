import { setTimeout as pause } from 'node:timers/promises';
import { secondsSince } from '../parts/cluster';
import type { DrillContext } from '../parts/context';
import { withInstallation } from '../parts/with-installation';

/** Takes the database away for ten minutes, as in a crash of its server. */
export async function loseDatabase(context: DrillContext): Promise<void> {
  const { report } = context;
  await withInstallation(context, async (installation, server) => {
    await installation.begin(500);
    await pause(context.seconds(30));
    const began = new Date();
    report.step('pg_ctl stop --mode=immediate');
    await server.stop('immediate');
    await pause(context.seconds(600));
    report.step('pg_ctl start');
    const started = performance.now();
    await server.start();
    report.fact(`PostgreSQL accepts connections after ${secondsSince(started)} s`);
    await pause(context.seconds(60));
    await installation.settle();
    installation.logs(began);
  });
}
