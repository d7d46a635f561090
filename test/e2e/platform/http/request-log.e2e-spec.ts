import { Writable } from 'node:stream';
import { requestWithoutCredentials } from '../../../harness/app/test-client';
import { useTestContext } from '../../../harness/app/test-context';
import { eventually } from '../../../harness/eventually';

interface Line {
  readonly level: number;
  readonly msg: string;
  readonly request_id?: string;
  readonly req?: { readonly method: string; readonly path: string };
  readonly res?: { readonly status: number };
  readonly responseTime?: number;
  readonly err?: { readonly message: string };
}

describe('the log of requests', () => {
  const lines: Line[] = [];
  const log = new Writable({
    write(chunk: Buffer, _encoding, done) {
      for (const text of chunk.toString().trim().split('\n')) lines.push(JSON.parse(text) as Line);
      done();
    },
  });
  const context = useTestContext({ log, settings: { logLevel: 'info' } });
  const linesOf = (id: string) => lines.filter(({ request_id }) => request_id === id);
  const lineOf = (id: string) =>
    eventually(async () => linesOf(id).find(({ res }) => res !== undefined), 'the request is logged');

  it('contains method, path, status, duration and id of each request, and no query', async () => {
    const { headers } = await context.client.request('get', '/v1/identities?limit=2').expect(200);
    const id = headers['x-request-id']!;
    const line = await lineOf(id);
    expect(line).toMatchObject({
      level: 30,
      msg: 'request completed',
      req: { method: 'GET', path: '/v1/identities' },
      res: { status: 200 },
      responseTime: expect.any(Number),
    });
    expect(Object.keys(line.req!)).toEqual(['method', 'path']);
    expect(linesOf(id)).toHaveLength(1);
  });

  it.each([
    ['/v1/identities', 401],
    ['/nowhere', 404],
    ['/v1/%', 404],
  ])('contains requests that are rejected: %s', async (path, status) => {
    const { headers } = await requestWithoutCredentials(context.app, 'get', path).expect(status);
    expect(await lineOf(headers['x-request-id']!)).toMatchObject({ level: 30, req: { path }, res: { status } });
  });

  it('contains no health checks', async () => {
    const { headers } = await requestWithoutCredentials(context.app, 'get', '/health/ready').expect(200);
    const later = await requestWithoutCredentials(context.app, 'get', '/nowhere').expect(404);
    await lineOf(later.headers['x-request-id']!);
    expect(linesOf(headers['x-request-id']!)).toEqual([]);
  });

  it('names the request in the line of an error, and reports the failed request', async () => {
    await context.query('alter table identity rename to identity_moved');
    try {
      const { headers } = await context.client.request('get', '/v1/identities?limit=3').expect(500);
      const id = headers['x-request-id']!;
      expect(await lineOf(id)).toMatchObject({ level: 50, msg: 'request errored', res: { status: 500 } });
      const error = linesOf(id).find(({ err }) => err);
      expect(error).toMatchObject({ level: 50, req: { method: 'GET', path: '/v1/identities' } });
      expect(error!.err!.message).toContain('identity');
    } finally {
      await context.query('alter table identity_moved rename to identity');
    }
  });
});
