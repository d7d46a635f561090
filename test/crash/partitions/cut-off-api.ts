import { setTimeout as pause } from 'node:timers/promises';
import type { ModelRun } from '../../model/model-run';
import { Campaign, secondsUntilReady } from './campaign';
import { inNetwork, type Parts } from './in-network';
import { patient } from './patient-client';
import type { Printed } from './report';

/** decisions 2: how long a client waits at most for an answer while the database is away. */
const MOST_SECONDS = 25;
/** How long the clients work on after the line is repaired. */
const AFTERWARDS_MS = 3_000;

/** An API whose packets to and from the database are lost for some seconds, while its clients repeat their requests. */
export async function cutOffApi(durations: readonly number[], seed: number, print: Printed): Promise<void> {
  await inNetwork(false, async (cut) => {
    const { url } = await cut.service.startFurther('api', { namespace: cut.namespace });
    await Campaign.run(cut.service, seed, { url, adapt: patient }, async (campaign) => {
      for (const seconds of durations) await cutOff(seconds, url, { ...cut, campaign, print });
    });
  });
}

async function cutOff(seconds: number, url: string, { service, namespace, campaign, print }: Parts): Promise<void> {
  await campaign.begin();
  let recovery = 0;
  let answers: Answers | undefined;
  const aftermath = await campaign.during(0, async () => {
    await namespace.drop(service.databasePort);
    const isOver = pause(seconds * 1000);
    const repaired = isOver.then(() => namespace.restore());
    answers = new Answers(campaign.modelRun, url);
    await Promise.all([answers.ask(seconds * 1000), campaign.work(seconds * 1000), repaired]);
    recovery = await secondsUntilReady(url);
    await campaign.work(AFTERWARDS_MS);
  });
  const seen = answers!;
  expect(
    seen.statuses
      .keys()
      .filter((one) => !EXPECTED.includes(one))
      .toArray(),
  ).toEqual([]);
  expect(seen.longest).toBeLessThan(MOST_SECONDS);
  const counts = [...seen.statuses].map(([answer, count]) => `${count} × ${answer}`).join(', ');
  print(
    `API cut off for ${seconds} s: ready ${recovery} s later; answers (${counts}) after ${seen.longest} s at most`,
    aftermath,
  );
}

const EXPECTED = ['200', '500 TEMPORARILY_UNAVAILABLE'];
const ASK_EVERY_MS = 500;

/** Requests that are not repeated, and how long they take. */
class Answers {
  readonly statuses = new Map<string, number>();
  /** In seconds. */
  longest = 0;

  constructor(
    private readonly modelRun: ModelRun,
    private readonly url: string,
  ) {}

  /** Sends requests for that long, and resolves when all are answered. */
  async ask(milliseconds: number): Promise<void> {
    const until = performance.now() + milliseconds;
    const asked: Promise<void>[] = [];
    while (performance.now() < until) {
      asked.push(this.one());
      await pause(ASK_EVERY_MS);
    }
    await Promise.all(asked);
  }

  private async one(): Promise<void> {
    const { client } = this.modelRun.tenants.PUSH;
    const began = performance.now();
    const answer = await fetch(`${this.url}/v1/transactions?limit=1`, { headers: { 'X-API-KEY': client.apiKey } });
    const { code } = (await answer.json()) as { code?: string };
    this.longest = Math.max(this.longest, Math.round((performance.now() - began) / 100) / 10);
    const seen = code === undefined ? String(answer.status) : `${answer.status} ${code}`;
    this.statuses.set(seen, (this.statuses.get(seen) ?? 0) + 1);
  }
}
