import {
  createConnection,
  deleteConnection,
  DocfetchConnectionError,
  fetchNow,
  getConnection,
  loadMoreOptions,
} from '../../sdk/typescript/dist/index.js';
import type { ScriptedResponse } from './scripted-server';
import { body, errorOf, OK, path, refusal, UUID, useSdk } from './use-sdk';

describe('Retries in the SDK', () => {
  const { server, docfetch } = useSdk();

  const soon = { 'retry-after': '0' };

  it.each<[string, ScriptedResponse]>([
    ['429', refusal(429, 'RATE_LIMITED', soon)],
    ['500', refusal(500, 'INTERNAL_ERROR', soon)],
    ['503', { status: 503, body: 'busy' }],
    ['a broken connection', 'hang up'],
  ])('repeats what changes nothing after %s', async (_, fault) => {
    server.script(fault, fault, OK);
    expect(await getConnection({ client: docfetch(), path })).toEqual({ data: { uuid: UUID } });
    expect(server.seen).toHaveLength(3);
    server.script(fault, { status: 204 });
    await deleteConnection({ client: docfetch(), path });
    expect(server.seen).toHaveLength(2);
  });

  it('ends with the last response', async () => {
    server.script(refusal(503, 'X', soon));
    expect((await errorOf(getConnection({ client: docfetch(), path }))).status).toBe(503);
    expect(server.seen).toHaveLength(3);
    server.script(refusal(503, 'X', soon));
    await errorOf(getConnection({ client: docfetch({ maxRetries: 4 }), path }));
    expect(server.seen).toHaveLength(5);
    server.script(refusal(503, 'X', soon));
    await errorOf(getConnection({ client: docfetch({ maxRetries: 0 }), path }));
    expect(server.seen).toHaveLength(1);
  });

  it('does not repeat what was refused', async () => {
    for (const status of [401, 403, 404, 409, 413, 422]) {
      server.script(refusal(status, 'SCHEDULED_FETCH_DUE', soon));
      await errorOf(fetchNow({ client: docfetch(), path }));
      expect(server.seen).toHaveLength(1);
    }
  });

  it('waits as long as it is told, and does not when that is too long', async () => {
    const started = performance.now();
    server.script(refusal(429, 'RATE_LIMITED', { 'retry-after': '1' }), OK);
    await getConnection({ client: docfetch(), path });
    expect(performance.now() - started).toBeGreaterThan(990);
    server.script(refusal(429, 'RATE_LIMITED', { 'retry-after': '2' }), OK);
    const error = await errorOf(getConnection({ client: docfetch({ maxRetryWaitMs: 1_999 }), path }));
    expect(error.retryAfter).toBe(2);
    expect(server.seen).toHaveLength(1);
  });

  it.each<[string, ScriptedResponse]>([
    ['a broken connection', 'hang up'],
    ['503', refusal(503, 'X', soon)],
    ['429', refusal(429, 'RATE_LIMITED', soon)],
    ['an answer that is still being made', refusal(409, 'IDEMPOTENCY_IN_PROGRESS', soon)],
  ])('repeats a POST that creates something after %s, with one and the same key', async (_, fault) => {
    server.script(fault, { status: 201, body: { data: { uuid: UUID } } });
    await createConnection({ client: docfetch(), body });
    expect(server.seen).toHaveLength(2);
    const [first, second] = server.seen;
    expect(first!.headers['idempotency-key']).toMatch(/^[0-9a-f-]{36}$/);
    expect(second!.headers['idempotency-key']).toBe(first!.headers['idempotency-key']);
    expect(second!.body).toBe(first!.body);
    expect(JSON.parse(second!.body)).toEqual(body);
  });

  it('gives every call a key of its own, and takes the caller’s', async () => {
    server.script({ status: 201, body: { data: {} } });
    await createConnection({ client: docfetch(), body });
    await createConnection({ client: docfetch(), body });
    await createConnection({ client: docfetch(), body, headers: { 'Idempotency-Key': 'mine' } });
    const keys = server.seen.map(({ headers }) => headers['idempotency-key']);
    expect(new Set(keys).size).toBe(3);
    expect(keys[2]).toBe('mine');
  });

  it('leaves a POST without a key alone, unless nothing was done', async () => {
    const more = () => loadMoreOptions({ client: docfetch(), path: { uuid: UUID, field_id: 'folders' }, body: {} });
    server.script(refusal(503, 'X', soon));
    await errorOf(more());
    expect(server.seen).toHaveLength(1);
    expect(server.seen[0]!.headers).not.toHaveProperty('idempotency-key');
    server.script('hang up');
    await expect(more()).rejects.toThrow(DocfetchConnectionError);
    expect(server.seen).toHaveLength(1);
    server.script(refusal(429, 'RATE_LIMITED', soon), OK);
    await more();
    expect(server.seen).toHaveLength(2);
  });

  it('stops waiting when the caller gives up', async () => {
    const controller = new AbortController();
    server.script(refusal(429, 'RATE_LIMITED', { 'retry-after': '20' }));
    const act = getConnection({ client: docfetch(), path, signal: controller.signal });
    setTimeout(() => controller.abort(), 100);
    await expect(act).rejects.toMatchObject({ name: 'AbortError' });
  });
});
