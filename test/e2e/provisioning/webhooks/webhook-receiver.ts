import { Webhook } from 'standardwebhooks';
import type { Receiver, Received } from '../../../fakes/receiver';
import { createTestClient, type TestClient } from '../../../harness/app/test-client';
import { eventually } from '../../../harness/eventually';
import { type WebhookBody, createWebhook } from '../../connections/webhooks/webhook-helpers';
import type { TestEngine } from '../../../harness/engine/test-engine';

/** The body of an event. */
export interface ReceivedEvent {
  readonly type: string;
  readonly timestamp: string;
  readonly data: Record<string, unknown>;
}

export const headersOf = (received: Received) => received.headers as Record<string, string>;
export const parseEvent = (received: Received) => JSON.parse(received.body!.toString('utf8')) as ReceivedEvent;

/** Creates a client that is notified of documents and pulls them. */
export const createPullClient = (engine: TestEngine): Promise<TestClient> =>
  createTestClient(engine.app, { provisioning: { strategy: 'WEBHOOK', url: null, auth: 'NONE', secret: null } });

/** Creates such a client with a webhook at the receiver. */
export async function createWebhookClient(
  engine: TestEngine,
  receiver: Receiver,
  given: object = {},
): Promise<{ client: TestClient; webhook: WebhookBody }> {
  const client = await createPullClient(engine);
  return { client, webhook: await createWebhook(client, { url: receiver.url('/events'), ...given }) };
}

/** Verifies the signature with the reference library and returns the event. */
export function verifyEvent(received: Received, secret: string): ReceivedEvent {
  return new Webhook(secret).verify(received.body!.toString('utf8'), headersOf(received)) as ReceivedEvent;
}

/** A row of `webhook_delivery`. */
export interface DeliveryRow {
  readonly uuid: string;
  readonly event_uuid: string | null;
  readonly type: string;
  readonly state: string;
  readonly status: number | null;
  readonly error_code: string | null;
  readonly sent_at: Date | null;
}

export const listDeliveries = (engine: TestEngine, webhook: { uuid: string }): Promise<DeliveryRow[]> =>
  engine.rows('select * from webhook_delivery where webhook_uuid = $1 order by uuid', webhook.uuid);

/** Resolves with the webhook's deliveries once `count` have ended and none is waiting or in flight. */
export const waitForDeliveries = (
  engine: TestEngine,
  webhook: { uuid: string },
  count: number,
): Promise<DeliveryRow[]> =>
  eventually(async () => {
    const rows = await listDeliveries(engine, webhook);
    const ended = rows.filter(({ state }) => ['DELIVERED', 'FAILED'].includes(state));
    return ended.length >= count && ended.length === rows.length && rows;
  }, `${count} events for the webhook ${webhook.uuid} are settled`);

/** Resolves when all events so far have been dispatched and sent. */
export async function waitForAllEvents(engine: TestEngine, timeoutMs?: number): Promise<void> {
  await eventually(
    async () => {
      await engine.runPolls();
      const open = await engine.count(
        `select (select count(*) from outbox where dispatched_at is null)
            + (select count(*) from webhook_delivery where state in ('WAITING', 'SENDING')) as count`,
      );
      return open === 0;
    },
    'all events have been sent',
    timeoutMs,
  );
}
