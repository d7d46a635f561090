import { randomUUID } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import request from 'supertest';
import { createPushClient } from '../../e2e/provisioning/push/push-setup';
import { createWebhook } from '../../e2e/connections/webhooks/webhook-helpers';
import { answer, type Received, Receiver } from '../../fakes/receiver';
import { connectSandbox } from '../../harness/engine/test-engine';
import type { TestClient } from '../../harness/app/test-client';
import { eventually } from '../../harness/eventually';
import { ServiceUnderTest } from '../../model/service-under-test';
import { Campaign } from './campaign';
import type { Printed } from './report';

/** A fetch that takes longer than a lease. */
const SLOW = { documents: 40, milliseconds: 2_000 };
/** Phases in which every worker gets a share of the work, at the latest. */
const MOST_PHASES = 12;
/** The time between the signature of a message and its arrival. */
const TOLERANCE_SECONDS = 20;
/** decisions 3, spec 4.6 rule 1. */
const [TOKEN_SECONDS, MANUAL_FETCHES] = [1_800, 5];

/**
 * A worker and an API whose wall clocks are ahead of those of another worker and another API, and of the database, by that many
 * seconds; negative: behind.
 */
export async function differentClocks(aheadSeconds: number, seed: number, print: Printed): Promise<void> {
  const service = await ServiceUnderTest.start({ aheadSeconds });
  const receiver = await Receiver.start();
  try {
    const { url } = await service.startFurther('api', { aheadSeconds });
    await service.startFurther('worker');
    await Campaign.run(service, seed, {}, async (campaign) => {
      await campaign.connectSlow(SLOW.documents, SLOW.milliseconds);
      await expectOneService(service, url, aheadSeconds, receiver);
      await useBothClocks(service, campaign, aheadSeconds, print);
    });
  } finally {
    await service.stop();
    await receiver.stop();
  }
}

/** Both workers fetch and push, until each has signed pushes by its clock. */
async function useBothClocks(
  service: ServiceUnderTest,
  campaign: Campaign,
  aheadSeconds: number,
  print: Printed,
): Promise<void> {
  const signatures: number[] = [];
  campaign.modelRun.endpoint.onRequest = ({ headers }) => signatures.push(secondsAhead(service, headers));
  const isSignedBy = (ahead: number) => signatures.some((one) => isNear(one, ahead));
  let phases = 0;
  const aftermath = await campaign.during(0, async () => {
    while (!isSignedBy(0) || !isSignedBy(aheadSeconds)) {
      expect(++phases).toBeLessThan(MOST_PHASES);
      await campaign.begin();
      await campaign.work(2_000);
      await campaign.settle();
    }
  });
  expect(signatures.filter((one) => !isNear(one, 0) && !isNear(one, aheadSeconds))).toEqual([]);
  await expectSchedule(service, campaign, phases);
  print(`clocks ${aheadSeconds} s apart for ${phases} simulated hours`, aftermath);
}

/** How far the clock that has signed a message is ahead. */
const secondsAhead = (service: ServiceUnderTest, headers: IncomingHttpHeaders): number =>
  Number(headers['webhook-timestamp']) - service.now() / 1000;
const isNear = (seconds: number, expected: number): boolean => Math.abs(seconds - expected) < TOLERANCE_SECONDS;

/** No fetch was taken over from a living worker, and none that is due once an hour ran twice. */
async function expectSchedule({ engine }: ServiceUnderTest, { modelRun }: Campaign, phases: number): Promise<void> {
  const rows = await engine.rows<{ scheduled: number; interruptions: number }>(
    `select count(*) filter (where trigger = 'SCHEDULED')::int as scheduled, max(interruptions) as interruptions
     from "fetch" where environment_uuid = any($1::uuid[]) group by connection_uuid`,
    modelRun.environments,
  );
  for (const { scheduled, interruptions } of rows) {
    expect(interruptions).toBe(0);
    expect(scheduled).toBeLessThanOrEqual(phases);
  }
}

/** Both APIs accept what the other one has issued, and share quotas and `Idempotency-Key`s; every event is sent once. */
async function expectOneService(
  service: ServiceUnderTest,
  shiftedUrl: string,
  aheadSeconds: number,
  receiver: Receiver,
): Promise<void> {
  const ahead: number[] = [];
  const isEvent = ({ path }: Received) => path === '/events';
  receiver.when(isEvent, async (exchange) => {
    ahead.push(secondsAhead(service, exchange.received.headers));
    await answer(200)(exchange);
  });
  const client = await createPushClient(service.engine, receiver.url());
  const shifted = shiftedClient(client, shiftedUrl);
  const uuid = await connectSandbox(client, { documents: 3, new_per_fetch: 0 });
  await service.engine.waitForFetches(uuid, 1);
  await createWebhook(client, { url: receiver.url('/events'), events: ['fetch.finished'] });

  const identity = await client.createIdentity();
  for (const [issuer, other, issuerAhead] of [
    [client, shifted, 0],
    [shifted, client, aheadSeconds],
  ] as const) {
    const body = { identity_uuid: identity, return_url: 'https://app.example.com/back' };
    const issued = await issuer.request('post', '/token').send(body).expect(201);
    const { token, expires_at } = (issued.body as { data: { token: string; expires_at: string } }).data;
    await other.requestWithToken(token, 'get', '/v1/ui/session').expect(200);
    expect(isNear((Date.parse(expires_at) - service.now()) / 1000, TOKEN_SECONDS + issuerAhead)).toBe(true);

    const key = randomUUID();
    const create = (api: TestClient) =>
      api.request('post', '/v1/identities').set('Idempotency-Key', key).send({ client_identifier: key }).expect(201);
    const [first, again] = [await create(issuer), await create(other)];
    expect(again.body).toEqual(first.body);
    expect(again.headers['idempotent-replayed']).toBe('true');
  }

  const statuses: number[] = [];
  for (let n = 0; n <= MANUAL_FETCHES; n++) {
    const api = n % 2 === 0 ? client : shifted;
    statuses.push((await api.request('post', `/v1/connections/${uuid}/fetch-now`)).status);
    await service.engine.waitForFetches(uuid, n + 1);
  }
  expect(statuses).toEqual([...Array<number>(MANUAL_FETCHES).fill(202), 429]);
  const sent = () => receiver.requests.filter(isEvent);
  await eventually(() => Promise.resolve(sent().length >= MANUAL_FETCHES), 'the events are sent');
  const ids = sent().map(({ headers }) => headers['webhook-id']);
  expect(new Set(ids).size).toBe(ids.length);
  expect(ahead.filter((one) => !isNear(one, 0) && !isNear(one, aheadSeconds))).toEqual([]);
}

/** The same client, which uses the API whose clock is wrong. */
const shiftedClient = (client: TestClient, url: string): TestClient => ({
  ...client,
  request: (method, path) => request(url)[method](path).set('X-API-KEY', client.apiKey),
  requestWithToken: (token, method, path) => request(url)[method](path).set('X-TOKEN', token),
});
