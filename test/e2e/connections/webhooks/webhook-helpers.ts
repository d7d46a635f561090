import { randomUUID } from 'node:crypto';
import { expectError } from '../../../harness/http/expect-error';
import { Receiver } from '../../../fakes/receiver';
import { itRequiresAuthentication } from '../../../harness/http/access-tests';
import type { TestContext } from '../../../harness/app/test-context';
import type { TestClient } from '../../../harness/app/test-client';

export interface WebhookBody {
  readonly uuid: string;
  readonly connection_uuid: string | null;
  readonly url: string;
  readonly events: string[];
  readonly enabled: boolean;
  readonly disabled_reason: string | null;
  readonly created_at: string;
  readonly updated_at: string;
  readonly secret: string;
}

export const WEBHOOK_URL = 'https://client.example/docfetch/events';

/** Registers a webhook for the client's environment. */
export async function createWebhook(client: TestClient, given: object = {}): Promise<WebhookBody> {
  const { body } = await client
    .request('post', '/v1/webhooks')
    .send({ url: WEBHOOK_URL, ...given })
    .expect(201);
  return (body as { data: WebhookBody }).data;
}

/** Starts a receiver of events once per test file; after each test it forgets its requests, and no webhook is registered. */
export function useEventReceiver(context: TestContext, set: (started: Receiver) => void): void {
  let receiver: Receiver | undefined;

  beforeAll(async () => {
    receiver = await Receiver.start();
    set(receiver);
  });
  afterEach(async () => {
    receiver?.clear();
    await context.query('delete from webhook');
  });
  afterAll(() => receiver?.stop());
}

/** Declares the access tests of a webhook endpoint, and the order of the checks. */
export function itChecksWebhookAccess(
  context: TestContext,
  method: 'get' | 'post' | 'patch' | 'delete',
  path: (uuid: string) => string,
): void {
  itRequiresAuthentication(context, {
    method,
    accepts: ['key'],
    path: async () => path((await createSpareWebhook(context)).uuid),
  });

  /** An invalid body proves that the request is rejected before the body is parsed. */
  const expectBoth = async (uuid: string, status: number, code: string, invalidFields = {}, token?: string) => {
    for (const lang of ['en', 'de'] as const) {
      const asked = context.client
        .request(method, path(uuid))
        .set('Lang', lang)
        .set('Content-Type', 'application/json');
      if (token) asked.set('X-TOKEN', token);
      expectError(await asked.send('{"'), status, code, invalidFields, lang);
    }
  };

  it('rejects a malformed uuid', async () => {
    await expectBoth('not-a-uuid', 422, 'VALIDATION_FAILED', { uuid: 'INVALID_UUID' });
  });

  it('answers 404 for a webhook that does not exist, and for a deleted one', async () => {
    await expectBoth(randomUUID(), 404, 'WEBHOOK_NOT_FOUND');
    const { uuid } = await createSpareWebhook(context);
    await context.client.request('delete', `/v1/webhooks/${uuid}`).expect(204);
    await expectBoth(uuid, 404, 'WEBHOOK_NOT_FOUND');
  });

  it('answers 403 for a webhook of another environment', async () => {
    await expectBoth((await createSpareWebhook(context, context.otherClient)).uuid, 403, 'NOT_YOUR_WEBHOOK');
  });

  it('answers 403 to a UI token sent with the key', async () => {
    await expectBoth((await createSpareWebhook(context)).uuid, 403, 'NOT_ALLOWED_BY_TOKEN', {}, context.token);
  });
}

/** Deletes all webhooks and creates one, because the tests need more than an environment may have. */
async function createSpareWebhook(context: TestContext, client = context.client): Promise<WebhookBody> {
  await context.query('delete from webhook where environment_uuid = $1 and connection_uuid is null', [
    client.environmentUuid,
  ]);
  return createWebhook(client);
}

/** Invalid addresses and event lists, with the expected errors. */
export const INVALID_WEBHOOKS: readonly (readonly [string, object, string, Record<string, string>])[] = [
  ['plain http', { url: 'http://client.example/' }, 'VALIDATION_FAILED', { url: 'INVALID_WEBHOOK_URL' }],
  ['credentials', { url: 'https://u:p@client.example/' }, 'VALIDATION_FAILED', { url: 'INVALID_WEBHOOK_URL' }],
  ['no address', { url: 'client.example' }, 'VALIDATION_FAILED', { url: 'INVALID_WEBHOOK_URL' }],
  ['a number', { url: 1 }, 'VALIDATION_FAILED', { url: 'INVALID_TYPE_STRING' }],
  ['a long address', { url: `${WEBHOOK_URL}?${'x'.repeat(2048)}` }, 'VALIDATION_FAILED', { url: 'TOO_LONG' }],
  ['a null character', { url: `${WEBHOOK_URL}\0` }, 'VALIDATION_FAILED', { url: 'INVALID_FORMAT' }],
  ['a private address', { url: 'https://10.0.0.1/' }, 'VALIDATION_FAILED', { url: 'ADDRESS_NOT_ALLOWED' }],
  ['a metadata address', { url: 'http://169.254.169.254/' }, 'VALIDATION_FAILED', { url: 'ADDRESS_NOT_ALLOWED' }],
  ['no events', { events: [] }, 'VALIDATION_FAILED', { events: 'TOO_FEW' }],
  ['an unknown event', { events: ['document.available', 'x'] }, 'VALIDATION_FAILED', { events: 'INVALID_OPTION' }],
  ['a test event', { events: ['webhook.test'] }, 'VALIDATION_FAILED', { events: 'INVALID_OPTION' }],
  ['an event twice', { events: Array(2).fill('fetch.finished') }, 'VALIDATION_FAILED', { events: 'NOT_UNIQUE' }],
  ['a single event', { events: 'fetch.finished' }, 'VALIDATION_FAILED', { events: 'INVALID_TYPE_ARRAY' }],
  ['null for events', { events: null }, 'VALIDATION_FAILED', { events: 'INVALID_TYPE_ARRAY' }],
  [
    'everything wrong at once',
    { url: 'https://10.0.0.1/', events: [1], secret: 'mine' },
    'VALIDATION_FAILED',
    { url: 'ADDRESS_NOT_ALLOWED', events: 'INVALID_OPTION', secret: 'UNKNOWN_PROPERTY' },
  ],
];
