import { createHash } from 'node:crypto';
import { type TransactionResponse, verifyPush, verifyWebhook } from '../../../sdk/typescript/dist/index.js';
import { useTestContext } from '../../harness/app/test-context';
import { eventually } from '../../harness/eventually';
import { Receiver } from '../../sdk/receiver';
import { type RunningClient, useClientUser } from '../../sdk/run-client';

const SECRET = `whsec_${Buffer.alloc(32, 5).toString('base64')}`;
const PUSHES = '/documents';

/** `docfetch-client listen` with the real service and a real endpoint. */
describe('docfetch-client listen', () => {
  const context = useTestContext({ role: 'all' });
  const user = useClientUser();
  const receiver = new Receiver();
  const env = () => ({
    DOCFETCH_URL: context.app.url,
    DOCFETCH_API_KEY: context.client.apiKey,
    DOCFETCH_LOCAL_SECRET: SECRET,
    DOCFETCH_ENDPOINT_TOKEN: 'token-of-the-endpoint',
  });
  let running: RunningClient | null = null;

  beforeAll(() => receiver.start());
  afterEach(async () => {
    running?.stop();
    await running?.exited;
    receiver.requests.length = 0;
  });
  afterAll(() => receiver.stop());

  async function listen(...args: string[]): Promise<RunningClient> {
    const to = ['--forward-to', `${receiver.url}${PUSHES}`];
    const client = user.start(['listen', ...to, '--interval', '0.1', '--json', ...args], { env: env() });
    running = client;
    await eventually(async () => client.stdout.objects.some(({ kind }) => kind === 'ready'), 'it listens');
    return client;
  }
  async function trigger(count: number): Promise<void> {
    const { status, stderr } = await user.run(['trigger', 'document', '--count', String(count)], { env: env() });
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  }
  const pushes = () => receiver.requests.filter(({ path }) => path === PUSHES);
  const printed = (client: RunningClient, kind: string) => client.stdout.objects.filter((each) => each.kind === kind);

  it('forwards documents like a push and events like a webhook, and prints the answers', async () => {
    receiver.answers.push({ status: 503, body: 'not now' });
    const events = ['--forward-events-to', `${receiver.url}/events`, '--events', 'fetch.finished'];
    const client = await listen('--auth', 'bearer', ...events);
    await trigger(2);
    const found = () => [printed(client, 'document').length, printed(client, 'event').length];
    await eventually(async () => found()[0] === 2 && found()[1]! > 0, 'all are answered');

    for (const { headers, body } of pushes()) {
      const push = await verifyPush(body, headers, SECRET);
      const transaction = await context.client.request('get', `/v1/transactions/${push.transaction_uuid}`).expect(200);
      const { document, provisioning, client_identifier, metadata } = (transaction.body as TransactionResponse).data;
      expect(push).toMatchObject({ client_identifier, metadata });
      const sha256 = createHash('sha256').update(Buffer.from(push.document.base64, 'base64')).digest('hex');
      expect([sha256, provisioning.status]).toEqual([document.sha256, 'AVAILABLE']);
      expect(headers).toMatchObject({
        'idempotency-key': push.transaction_uuid,
        authorization: 'Bearer token-of-the-endpoint',
      });
    }
    const [event] = receiver.requests.filter(({ path }) => path === '/events');
    expect(await verifyWebhook(event!.body, event!.headers, SECRET)).toMatchObject({ type: 'fetch.finished' });
    expect(event!.headers.authorization).toBeUndefined();

    const statuses = [...printed(client, 'document'), ...printed(client, 'event')].map(({ status }) => status);
    expect(statuses.sort()).toEqual([...statuses.slice(1).map(() => 200), 503]);
    expect(client.stdout.objects).toContainEqual(expect.objectContaining({ ok: false, response_excerpt: 'not now' }));
    const output = client.stdout.text + client.stderr.text;
    for (const secret of [SECRET, context.client.apiKey, 'token-of-the-endpoint']) expect(output).not.toContain(secret);
  });

  it('continues where it stopped, and waits for an endpoint that is not running', async () => {
    const before = await listen('--from', 'last');
    expect(pushes()).toEqual([]);
    before.stop();
    await before.exited;
    await trigger(1);
    await receiver.stop();
    const client = await listen('--from', 'last');
    await eventually(async () => printed(client, 'endpoint').length > 0, 'it waits');
    await receiver.start();
    await eventually(async () => printed(client, 'document').length > 0, 'the document is forwarded');
    expect(printed(client, 'endpoint').map(({ state }) => state)).toEqual(['away', 'back']);
    expect(pushes()).toHaveLength(1);
  });

  it('acknowledges on request what the endpoint has accepted, and replays with a key', async () => {
    const to = ['--forward-to', `${receiver.url}${PUSHES}`, '--from', 'start', '--acknowledge'];
    const client = user.start(['listen', ...to], { env: env(), terminal: true });
    running = client;
    await eventually(async () => pushes().length === 3, 'all documents are forwarded');
    await eventually(async () => client.stdout.text.split('\n').length === 4, 'the answers are printed');
    client.press('r');
    await eventually(async () => client.stdout.text.includes('again'), 'the last one is sent again');
    const keys = pushes().map(({ headers }) => headers['idempotency-key']);
    expect(keys[3]).toBe(keys[2]);
    const { objects } = await user.run(['transactions', 'list', '--status', 'acknowledged', '--json'], { env: env() });
    expect(objects.map(({ transaction_uuid }) => transaction_uuid)).toEqual(keys.slice(0, 3));
    client.press('q');
    expect(await client.exited).toBe(0);
    expect(client.stderr.text).toContain('Keys: r sends the last one again, q ends.');
  });
});
