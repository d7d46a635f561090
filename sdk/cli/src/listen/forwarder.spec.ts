import { eventually } from '../../../../test/harness/eventually';
import { Receiver } from '../../../../test/sdk/receiver';
import { verifyPush } from '../../../typescript/dist/index.js';
import { en } from '../messages/en';
import { Forwarder, type Message } from './forwarder';
import type { Answer } from './post-message';
import { targetOf } from './target';

const SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;

describe('Forwarding', () => {
  const receiver = new Receiver();
  const stop = new AbortController();
  const notes: string[] = [];
  const answers: (Answer & { repeated: boolean })[] = [];
  const forwarder = new Forwarder({
    ...{ secret: SECRET, signal: stop.signal, retryMs: 5 },
    onWaiting: ({ name }) => notes.push(`waiting for ${name}`),
    onAnswering: () => notes.push('answering'),
  });
  const message = (id: string, path = '/documents'): Message => ({
    id,
    headers: { 'idempotency-key': id },
    target: targetOf(`${receiver.url}${path}`, 'query', 'geheim&1', en),
    timeoutMs: 5_000,
    body: async () => Buffer.from(`{"transaction_uuid":"${id}"}`),
    onAnswer: async (answer, repeated) => void answers.push({ ...answer, repeated }),
  });

  beforeAll(() => receiver.start());
  afterAll(async () => {
    stop.abort();
    await receiver.stop();
  });
  beforeEach(() => {
    for (const list of [receiver.requests, notes, answers]) list.length = 0;
  });

  it('signs what the SDK accepts, with the headers of a push and the credential of the endpoint', async () => {
    await forwarder.send(message('a'));
    const [{ path, headers, body }] = receiver.requests as [(typeof receiver.requests)[0]];
    await expect(verifyPush(body, headers, SECRET)).resolves.toEqual({ transaction_uuid: 'a' });
    expect(path).toBe('/documents?token=geheim%261');
    expect(headers).toMatchObject({ 'content-type': 'application/json', 'idempotency-key': 'a', 'webhook-id': 'a' });
    expect(answers).toEqual([expect.objectContaining({ status: 200, error: null, excerpt: 'ok', repeated: false })]);
  });

  it('reports a refusal, without the credential that the endpoint repeats, and goes on', async () => {
    receiver.answers.push({ status: 500, body: 'token geheim&1 (geheim%261) is wrong' });
    await forwarder.send(message('a'));
    await forwarder.send(message('b'));
    expect(answers.map(({ status, excerpt }) => [status, excerpt])).toEqual([
      [500, 'token *** (***) is wrong'],
      [200, 'ok'],
    ]);
  });

  it('does not follow a redirect, and keeps the first KiB of an answer only', async () => {
    receiver.answers.push({ status: 302, headers: { location: `${receiver.url}/elsewhere` }, body: 'x'.repeat(5000) });
    await forwarder.send(message('a'));
    expect(receiver.requests).toHaveLength(1);
    expect(answers[0]).toMatchObject({ status: 302, excerpt: 'x'.repeat(1024) });
  });

  it('waits for an endpoint that is being restarted, and then sends in order', async () => {
    await receiver.stop();
    const sent = [forwarder.send(message('a')), forwarder.send(message('b'))];
    await eventually(async () => notes.length > 0, 'it waits');
    expect(answers).toEqual([]);
    await receiver.start();
    await Promise.all(sent);
    expect(receiver.requests.map(({ headers }) => headers['idempotency-key'])).toEqual(['a', 'b']);
    expect(notes).toEqual([`waiting for ${receiver.url}/documents`, 'answering']);
  });

  it('sends the last message again, with the same key', async () => {
    await forwarder.send(message('c'));
    expect(await forwarder.replay()).toBe(true);
    expect(receiver.requests.map(({ headers }) => headers['idempotency-key'])).toEqual(['c', 'c']);
    expect(answers.map(({ repeated }) => repeated)).toEqual([false, true]);
  });

  it.each(['ftp://localhost/', 'localhost:4000', 'http://user:password@localhost/'])('refuses %s', (address) => {
    expect(() => targetOf(address, 'none', undefined, en)).toThrow(en.notAnEndpoint);
  });
});
