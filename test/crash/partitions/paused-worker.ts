import { ServiceUnderTest } from '../../model/service-under-test';
import { Campaign, secondsUntilReady } from './campaign';
import type { Printed } from './report';

/** How long both workers work after the first one has been resumed. */
const BOTH_MS = 5_000;

/** A worker that is paused (SIGSTOP) at any moment, also while it holds locks, and resumed after another one has taken over. */
export async function pauseWorker(seconds: number, seed: number, print: Printed): Promise<void> {
  const service = await ServiceUnderTest.start();
  try {
    await Campaign.run(service, seed, {}, (campaign) => pause(seconds, service, campaign, print));
  } finally {
    await service.stop();
  }
}

async function pause(seconds: number, service: ServiceUnderTest, campaign: Campaign, print: Printed): Promise<void> {
  await campaign.begin();
  const paused = await service.currentWorker();
  let recovery = 0;
  const aftermath = await campaign.during(seconds, async () => {
    paused.child.kill('SIGSTOP');
    const until = performance.now() + seconds * 1000;
    const other = await service.startFurther('worker');
    await campaign.work(until - performance.now());
    paused.child.kill('SIGCONT');
    recovery = await secondsUntilReady(service.workerUrl);
    await campaign.work(BOTH_MS);
    // What is left is done by the worker that was paused.
    expect((await other.process.kill('SIGTERM')).status).toBe(0);
  });
  print(`worker paused for ${seconds} s: ready ${recovery} s later`, aftermath);
}
