import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Cluster, secondsSince } from '../parts/cluster';
import type { DrillContext } from '../parts/context';
import type { Installation } from '../parts/installation';
import { withInstallation } from '../parts/with-installation';

const COUNT = 'select count(*) from transaction';

/** Backs up while documents arrive, loses the server, and continues on a restored one: from the archive, then from the dump. */
export async function restoreBackup(context: DrillContext): Promise<void> {
  const { report, folder, firstPort } = context;
  await withInstallation(context, async (installation, first) => {
    await installation.begin(500);
    await pause(context.seconds(20));
    const dump = join(first.folder, 'docfetch.dump');
    report.fact(`pg_dump: ${await first.dump(dump)} s, ${await first.sql(COUNT)} transactions by then`);
    const backup = join(folder, 'backup');
    report.fact(`pg_basebackup: ${await first.baseBackup(backup)} s`);
    await pause(context.seconds(20));
    await first.archiveNow();
    const archived = Number(await first.sql(COUNT));

    report.step(`the server is lost with ${archived} transactions archived`);
    await first.stop('immediate');
    await installation.stopProcesses();
    const { server: second, seconds } = await first.recover(backup, firstPort + 11);
    report.fact(
      `recovered from the base backup and the archive in ${seconds} s, with ${await second.sql(COUNT)} transactions`,
    );
    await continueOn(installation, second);
    await pause(context.seconds(20));
    await compare(installation, second);

    report.step('this server and its archive are lost: the dump is restored into a new one');
    await second.stop('immediate');
    await installation.stopProcesses();
    const third = await Cluster.create(join(folder, 'third'), firstPort + 12);
    report.fact(`pg_restore: ${await third.restore(dump)} s, with ${await third.sql(COUNT)} transactions`);
    await continueOn(installation, third);
    await pause(context.seconds(20));
    await compare(installation, third);
    await installation.end();
    await third.stop('fast');
  });
}

/** The steps of docs/operate/operations.md after a restore. */
async function continueOn(installation: Installation, server: Cluster): Promise<void> {
  const started = performance.now();
  for (const sequence of ['transaction_position_seq', 'outbox_position_seq']) {
    await server.sql(`select setval('${sequence}', nextval('${sequence}') + 1000000000)`);
  }
  installation.settings.DATABASE_URL = server.url;
  await installation.startProcesses();
  installation.report.fact(`all processes are ready ${secondsSince(started)} s later`);
}

/** Connections that were created after the backup are gone: what is left has to be delivered. */
async function compare(installation: Installation, server: Cluster): Promise<void> {
  const { receiver, client, report } = installation;
  await client.end();
  const waiting = `select (select count(*) from transaction where due_at is not null) + (select count(*) from "fetch" where status in ('QUEUED', 'RUNNING')) + (select count(*) from connection where next_fetch_at < now())`;
  while ((await server.sql(waiting)) !== '0') await pause(500);
  const recorded = (await server.sql(`select string_agg(uuid::text, ' ') from transaction`)).split(' ');
  const missing = recorded.filter((uuid) => !receiver.accepted.has(uuid)).length;
  const connections = (await server.sql(`select string_agg(uuid::text, ' ') from connection`)).split(' ');
  const lost = client.connections.filter((uuid) => !connections.includes(uuid)).length;
  report.fact(
    `${lost} of ${client.connections.length} accepted connections are missing; ${recorded.length} transactions recorded`,
  );
  report.fact(
    `${receiver.documents.size} documents received in all, ${receiver.doubled} in more than one transaction, ${receiver.repeated} pushes repeated`,
  );
  report.check('every recorded document was received', missing === 0);
  await client.begin(500);
}
