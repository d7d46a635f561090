import { setTimeout as pause } from 'node:timers/promises';
import { secondsSince } from '../parts/cluster';
import type { DrillContext } from '../parts/context';
import { withInstallation } from '../parts/with-installation';

/** Kills a worker with running fetches and due documents; the other one takes over its work. */
export async function loseWorker(context: DrillContext): Promise<void> {
  const { report } = context;
  await withInstallation(context, async (installation, server) => {
    await installation.begin(100);
    await pause(context.seconds(30));
    const victim = installation.services.get('worker-2')!;
    const count = (from: string) => server.sql(`select count(*) from ${from}`);
    const running = await count(`"fetch" where status = 'RUNNING'`);
    report.step(
      `kill -9 of worker-2 (${running} running fetches, ${await count('transaction where due_at is not null')} due documents)`,
    );
    const began = new Date();
    const started = performance.now();
    const orphans = await server.sql(
      `select coalesce(string_agg(quote_literal(uuid::text), ','), '') from "fetch" where status = 'RUNNING'`,
    );
    victim.kill();
    if (orphans !== '') {
      while ((await count(`"fetch" where status = 'RUNNING' and uuid in (${orphans})`)) !== '0') await pause(500);
      report.fact(`the last of these fetches ended after ${secondsSince(started)} s`);
    }
    await pause(context.seconds(60));
    await installation.settle();
    installation.logs(began);
    report.step('worker-2 starts again');
    await installation.startProcesses(['worker-2']);
  });
}
