import type { Display } from '../demo/display';
import type { Receiver } from './receiver';
import type { SeedApi } from './seed-api';

/** Sets the URL that documents are pushed to. */
export type PushTo = (url: string) => Promise<unknown>;

/** Documents of one connection in every state of their delivery, and webhooks with successful and failed notifications. */
export async function seedDeliveries(
  display: Display,
  api: SeedApi,
  { connection, receiver, pushTo }: { connection: string; receiver: Receiver; pushTo: PushTo },
): Promise<void> {
  await display.step('Acknowledging documents', async () => {
    const [first, second, third] = await api.transactions(connection);
    const acknowledge = (result: string, documents: (typeof first)[], message?: string) =>
      api.client.call('POST', '/v1/transactions/acknowledge', 204, {
        result,
        message,
        transaction_uuids: documents.map((document) => document!.transaction_uuid),
      });
    await acknowledge('ACCEPTED', [first, second]);
    await acknowledge('REJECTED', [third], 'This invoice was cancelled.');
    return 'Documents that wait to be polled, and some that were accepted or rejected';
  });

  const webhooks: string[] = [];
  await display.step('Registering webhooks', async () => {
    for (const [path, events] of [
      ['/events', ['document.available', 'fetch.finished', 'connection.status_changed', 'delivery.failed']],
      ['/broken', ['delivery.failed']],
    ] as const) {
      const body = { url: receiver.base + path, events };
      webhooks.push((await api.client.call<{ uuid: string }>('POST', '/v1/webhooks', 201, body)).uuid);
    }
    return 'A webhook that works, and one whose notifications fail';
  });

  await display.step('Pushing documents', async () => {
    await pushTo(`${receiver.base}/documents`);
    await addDocuments(api, connection, 5, 'DELIVERED');
    receiver.behavior = 'rejecting';
    await addDocuments(api, connection, 1, 'FAILED');
    await api.until('the webhooks have been notified', async () => {
      const sent = await Promise.all(webhooks.map((uuid) => api.notifications(uuid)));
      return sent.every((results) => results.includes('delivery.failed'));
    });
    receiver.behavior = 'paused';
    await addDocuments(api, connection, 3, 'PENDING');
    return 'Documents that were delivered, one that failed, and some that wait because the endpoint requested a pause';
  });
}

/** Adds documents to the portal, fetches them, and waits until their delivery has this state after an attempt. */
async function addDocuments(api: SeedApi, connection: string, count: number, status: string): Promise<void> {
  const known = new Set((await api.transactions(connection)).map(({ transaction_uuid: uuid }) => uuid));
  await api.client.call('POST', `/v1/sandbox/connections/${connection}/documents`, 202, {
    count,
    format: 'HYBRID',
    external_id: true,
  });
  await api.fetchNow(connection);
  await api.until(`new documents are ${status}`, async () => {
    const added = (await api.transactions(connection)).filter(({ transaction_uuid: uuid }) => !known.has(uuid));
    const attempted = added.some(({ provisioning }) => provisioning.attempts > 0);
    return attempted && added.every(({ provisioning }) => provisioning.status === status);
  });
}
