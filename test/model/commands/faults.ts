import fc from 'fast-check';
import { setTimeout as pause } from 'node:timers/promises';
import type { ModelRun } from '../model-run';
import { MAX_UNWRITTEN } from '../invariants';
import type { Model } from '../model';
import { step } from './step';

const isPushing = ({ transactions }: Readonly<Model>) =>
  transactions.values().some(({ strategy }) => strategy === 'PUSH');

/** The worker is killed after that many milliseconds of any work. */
export const killWorker = fc.record({ afterMs: fc.nat(400) }).map((given) =>
  step('kill the worker', given, async (_, modelRun) => {
    await modelRun.service.engine.runPolls();
    await pause(given.afterMs);
    await kill(modelRun);
  }),
);

/** The worker is killed shortly after a number of pushes, whose results it may not have written. */
export const killWhilePushing = fc
  .record({ pushes: fc.integer({ min: 1, max: 12 }), afterMs: fc.nat(12) })
  .map((given) =>
    step(
      'kill the worker while it pushes',
      given,
      (_, modelRun) =>
        whilePushing(modelRun, given.pushes, async () => {
          await pause(given.afterMs);
          await kill(modelRun);
        }),
      isPushing,
    ),
  );

/** The worker loses the database while it pushes, and perhaps its life, while the endpoint still answers. */
export const cutOffWorker = fc
  .record({ pushes: fc.integer({ min: 1, max: 12 }), ms: fc.nat(500), isKilled: fc.boolean() })
  .map((given) =>
    step(
      'cut the worker off from the database',
      given,
      (_, modelRun) =>
        whilePushing(modelRun, given.pushes, () =>
          modelRun.service.cutOffWorker(async () => {
            await pause(given.ms);
            if (given.isKilled) await kill(modelRun);
          }),
        ),
      isPushing,
    ),
  );

/**
 * The worker is suspended while it pushes, another one takes over, and then both work until the first one is stopped. The second
 * one repeats what the first one has not written; after that, both may send the same documents, until one of them finds that a
 * result of its own was recorded by the other and stops. Neither has more than `MAX_UNWRITTEN` of them by then.
 */
export const suspendWorker = fc
  .record({ pushes: fc.integer({ min: 1, max: 12 }), afterMs: fc.nat(12), ms: fc.nat(400) })
  .map((given) =>
    step(
      'suspend the worker beyond its leases',
      given,
      (_, modelRun) =>
        whilePushing(modelRun, given.pushes, async () => {
          await pause(given.afterMs);
          await modelRun.service.suspendWorker(
            async () => modelRun.endpoint.log.tolerateRepeats(2 * MAX_UNWRITTEN),
            () => pause(given.ms),
          );
        }),
      isPushing,
    ),
  );

export const terminateSessions = fc
  .constant(0)
  .map(() => step('terminate all sessions of the database', {}, (_, { service }) => service.terminateSessions()));

export const restartDatabase = fc
  .record({ mode: fc.constantFrom('fast' as const, 'immediate' as const) })
  .map((given) => step('restart the database', given, (_, { service }) => service.restartDatabase(given.mode)));

/** Has everything pushed again, and calls `fault` when that many pushes have begun, or after some seconds with fewer. */
async function whilePushing(
  { service, endpoint, tenants }: ModelRun,
  pushes: number,
  fault: () => Promise<void>,
): Promise<void> {
  await service.ready();
  await endpoint.setMode('accepts');
  endpoint.log.redeliver();
  const { client } = tenants.PUSH;
  const { body } = await client.request('post', '/v1/transactions/redeliver').send({ status: 'DELIVERED' }).expect(202);
  const { count } = (body as { data: { count: number } }).data;
  let isOver = false;
  const over = endpoint
    .waitForRequests(Math.min(pushes, count))
    .then(fault)
    .finally(() => (isOver = true));
  while (!isOver) await Promise.race([over, service.engine.runPolls().then(() => pause(100))]);
  await over;
}

/** decisions 6: only what the killed worker had in flight or not yet written may arrive again. */
async function kill({ service, endpoint, environments }: ModelRun): Promise<void> {
  await service.killWorker(async () => {
    await endpoint.waitForClosedSockets();
    const pending = await service.rows<{ uuid: string }>(
      'select uuid from transaction where environment_uuid = any($1::uuid[]) and due_at is not null',
      environments,
    );
    expect(endpoint.log.excuse(pending.map(({ uuid }) => uuid))).toBeLessThanOrEqual(MAX_UNWRITTEN);
  });
}
