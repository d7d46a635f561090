import { Campaign, secondsUntilReady } from './campaign';
import { inNetwork, type Parts } from './in-network';
import type { Printed } from './report';

/** How long both workers work after the line is repaired. */
const BOTH_MS = 3_000;

/** A worker whose packets to and from the database are lost for some seconds, while it still reaches its endpoints. */
export async function cutOffWorker(durations: readonly number[], seed: number, print: Printed): Promise<void> {
  await inNetwork(true, (cut) =>
    Campaign.run(cut.service, seed, {}, async (campaign) => {
      for (const seconds of durations) await cutOff(seconds, { ...cut, campaign, print });
    }),
  );
}

async function cutOff(seconds: number, { service, namespace, campaign, print }: Parts): Promise<void> {
  await campaign.begin();
  let recovery = 0;
  const aftermath = await campaign.during(seconds, async () => {
    await namespace.drop(service.databasePort);
    const until = performance.now() + seconds * 1000;
    const other = campaign.isTakenOver(seconds) ? await service.startFurther('worker') : null;
    await campaign.work(until - performance.now());
    await namespace.restore();
    recovery = await secondsUntilReady(service.workerUrl);
    await campaign.work(BOTH_MS);
    // What is left is done by the worker that was cut off.
    if (other) expect((await other.process.kill('SIGTERM')).status).toBe(0);
  });
  print(`worker cut off for ${seconds} s: ready ${recovery} s later`, aftermath);
}
