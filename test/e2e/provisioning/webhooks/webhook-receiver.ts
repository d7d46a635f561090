import { Webhook } from 'standardwebhooks';
import type { Receiver, Received } from '../../../fakes/receiver';
import { aClient, type TestClient } from '../../../harness/app/test-client';
import { eventually } from '../../../harness/eventually';
import { type WebhookBody, webhookOf } from '../../connections/webhooks/webhook-helpers';
import type { Engine } from '../../fetches/engine';

/** What a receiver is told. */
export interface Told {
  readonly type: string;
  readonly timestamp: string;
  readonly data: Record<string, unknown>;
}

export const headersOf = (received: Received) => received.headers as Record<string, string>;
export const toldIn = (received: Received) => JSON.parse(received.body!.toString('utf8')) as Told;

/** A client that is told of documents, which it then pulls. */
export const pulling = (engine: Engine): Promise<TestClient> =>
  aClient(engine.app, { provisioning: { strategy: 'WEBHOOK', url: null, auth: 'NONE', secret: null } });

/** The same with a registration at the receiver. */
export async function hearing(
  engine: Engine,
  receiver: Receiver,
  given: object = {},
): Promise<{ client: TestClient; webhook: WebhookBody }> {
  const client = await pulling(engine);
  return { client, webhook: await webhookOf(client, { url: receiver.url('/events'), ...given }) };
}

/** Checks the signature with the reference library and answers what was told. */
export function verified(received: Received, secret: string): Told {
  return new Webhook(secret).verify(received.body!.toString('utf8'), headersOf(received)) as Told;
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

export const deliveriesOf = (engine: Engine, webhook: { uuid: string }): Promise<DeliveryRow[]> =>
  engine.rows('select * from webhook_delivery where webhook_uuid = $1 order by uuid', webhook.uuid);

/** Resolves with what was sent to the webhook, once so much has been and nothing more waits or is on its way. */
export const settled = (engine: Engine, webhook: { uuid: string }, count: number): Promise<DeliveryRow[]> =>
  eventually(async () => {
    const rows = await deliveriesOf(engine, webhook);
    const ended = rows.filter(({ state }) => ['DELIVERED', 'FAILED'].includes(state));
    return ended.length >= count && ended.length === rows.length && rows;
  }, `${count} events for the webhook ${webhook.uuid} are settled`);

/** Resolves when everything that has happened so far has been handed to those who asked for it, and has been sent. */
export async function told(engine: Engine): Promise<void> {
  await eventually(async () => {
    await engine.look();
    const open = await engine.count(
      `select (select count(*) from outbox where dispatched_at is null)
            + (select count(*) from webhook_delivery where state in ('WAITING', 'SENDING')) as count`,
    );
    return open === 0;
  }, 'everything has been told');
}
