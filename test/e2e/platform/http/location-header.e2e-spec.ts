import { randomUUID } from 'node:crypto';
import type { Response } from 'supertest';
import { useSharedContext } from '../../../harness/app/test-context';

describe('Location (decisions 1)', () => {
  const context = useSharedContext();
  const sandbox = () => ({
    integration_id: 'sandbox',
    name: 'Portal',
    identity_uuid: context.identity,
    fields: { user: 'u', password: 'p' },
  });
  const uuidIn = ({ body }: Response) => (body as { data: { uuid: string } }).data.uuid;

  /** Sends the request twice with the same key, follows `Location` both times and returns the responses. */
  async function followed(path: string, status: number, body: object): Promise<{ created: Response; read: Response }> {
    const key = randomUUID();
    const send = () => context.client.request('post', path).set('Idempotency-Key', key).send(body).expect(status);
    const created = await send();
    const replayed = await send();
    expect(replayed.headers['idempotent-replayed']).toBe('true');
    expect(replayed.headers.location).toBe(created.headers.location);
    return { created, read: await context.client.request('get', created.headers.location!).expect(200) };
  }

  it('refers to a new identity, and is absent for an existing one', async () => {
    const body = { client_identifier: randomUUID() };
    const { created, read } = await followed('/v1/identities', 201, body);
    expect(created.headers.location).toMatch(/^\/v1\/identities\/[0-9a-f-]{36}$/);
    expect(read.body.data.client_identifier).toBe(body.client_identifier);
    const again = await context.client.request('post', '/v1/identities').send(body).expect(200);
    expect(again.headers).not.toHaveProperty('location');
  });

  it.each(['/v1/connections', '/v1/connections/migrate'])('refers to the connection of POST %s', async (path) => {
    const { created, read } = await followed(path, 201, sandbox());
    expect(created.headers.location).toBe(`/v1/connections/${uuidIn(created)}`);
    expect(uuidIn(read)).toBe(uuidIn(created));
  });

  it('refers to a new webhook', async () => {
    const { created, read } = await followed('/v1/webhooks', 201, { url: 'https://client.example/hook' });
    expect(created.headers.location).toBe(`/v1/webhooks/${uuidIn(created)}`);
    expect(uuidIn(read)).toBe(uuidIn(created));
  });

  it('refers to the fetch that fetch-now has queued', async () => {
    const uuid = await context.createActiveConnection();
    await context.query("update connection set next_fetch_at = now() + interval '9 days' where uuid = $1", [uuid]);
    const { created, read } = await followed(`/v1/connections/${uuid}/fetch-now`, 202, {});
    expect(created.headers.location).toBe(`/v1/fetches/${created.body.uuid}`);
    expect(uuidIn(read)).toBe(created.body.uuid);
  });

  it('refers to the documents of a sandbox connection', async () => {
    const uuid = await context.createActiveConnection();
    const { created } = await followed(`/v1/sandbox/connections/${uuid}/documents`, 202, {
      ...{ count: 1, format: 'PDF', external_id: true },
    });
    expect(created.headers.location).toBe(`/v1/transactions?connection_uuid=${uuid}`);
  });

  it('is absent without readable connections and on errors', async () => {
    const token = { identity_uuid: context.identity, return_url: 'https://app.example.com/back' };
    const answers = [
      await context.client.request('post', '/token').send(token).expect(201),
      await context.client.request('post', '/v1/connections').send({}).expect(422),
    ];
    for (const { headers } of answers) expect(headers).not.toHaveProperty('location');
  });
});
