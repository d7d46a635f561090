import { getEventListeners } from 'node:events';
import { Agent } from 'undici';
import { answer, endless, Receiver, silence, stall } from '../../../test/fakes/receiver';
import { rejectionOf } from '../../../test/harness/rejection-of';
import { type HttpTimeouts, post } from './post';

const PROMPT: HttpTimeouts = { totalMs: 10_000, idleMs: 10_000 };

describe('A request to a client', () => {
  let receiver: Receiver;
  let agent: Agent;

  beforeAll(async () => {
    receiver = await Receiver.start();
  });
  beforeEach(() => {
    agent = new Agent({ connections: 1, pipelining: 1 });
  });
  afterEach(async () => {
    await agent.destroy();
    receiver.clear();
  });
  afterAll(() => receiver.stop());

  const send = (timeouts: HttpTimeouts = PROMPT, body = 'a document') =>
    post(agent, { url: new URL(receiver.url('/a?b=c')), headers: { 'x-one': '1' }, body: Buffer.from(body) }, timeouts);

  it('returns the status, the headers and the first KiB of the response', async () => {
    receiver.next(answer(503, { 'retry-after': '7' }, `${'x'.repeat(2000)}\0`));
    const { status, headers, excerpt } = await send();
    expect([status, headers['retry-after'], excerpt]).toEqual([503, '7', 'x'.repeat(1024)]);
    expect(receiver.requests[0]).toMatchObject({ method: 'POST', path: '/a?b=c', headers: { 'x-one': '1' } });
    expect(receiver.requests[0]!.body!.toString()).toBe('a document');
  });

  it('replaces what cannot be stored as text', async () => {
    receiver.next(answer(400, {}, 'a\0b'));
    expect((await send()).excerpt).toBe('a\uFFFDb');
  });

  it('reuses its connection after a short response, and closes it after 64 KiB of a long one', async () => {
    const before = receiver.connections;
    await send();
    await send();
    expect(receiver.connections - before).toBe(1);
    receiver.next(endless(200));
    expect((await send()).status).toBe(200);
    expect((await send()).status).toBe(200);
    expect(receiver.connections - before).toBe(2);
  });

  it('is a timeout when no response begins in time', async () => {
    receiver.next(silence);
    expect(await rejectionOf(send({ ...PROMPT, totalMs: 50 }))).toMatchObject({ name: 'TimeoutError' });
  });

  it('ends in time even while it waits for a connection, and is then not sent', async () => {
    receiver.next(silence);
    const aborting = new AbortController();
    const first = rejectionOf(send({ ...PROMPT, signal: aborting.signal }));
    await receiver.waitForRequests(1);
    expect(await rejectionOf(send({ ...PROMPT, totalMs: 50 }, 'second'))).toMatchObject({ name: 'TimeoutError' });
    aborting.abort(new Error('The connection is free.'));
    await first;
    await send(PROMPT, 'third');
    expect(receiver.requests.length).toBe(2);
    expect(receiver.requests[1]!.body!.toString()).toBe('third');
  });

  it('keeps the status of a response that stalls', async () => {
    receiver.next(stall(200, 'so far'));
    const answered = await send({ ...PROMPT, responseMs: () => 0 });
    expect([answered.status, answered.excerpt]).toEqual([200, 'so far']);
  });

  it('fails with the reason of its signal, and leaves nothing attached to it', async () => {
    const aborting = new AbortController();
    receiver.next(silence);
    const aborted = rejectionOf(send({ ...PROMPT, signal: aborting.signal }));
    await receiver.waitForRequests(1);
    const reason = new Error('The worker stops.');
    aborting.abort(reason);
    expect(await aborted).toBe(reason);
    const lasting = new AbortController();
    await send({ ...PROMPT, signal: lasting.signal });
    for (const { signal } of [aborting, lasting]) expect(getEventListeners(signal, 'abort')).toEqual([]);
  });
});
