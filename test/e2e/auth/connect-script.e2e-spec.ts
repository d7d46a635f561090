import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import request from 'supertest';
import { useSharedContext } from '../../harness/app/test-context';

const BUILT = join(__dirname, '../../../dist/connect/v1.js');

/** Tests how the output of `npm run connect` is served; test/ui/connect tests its behavior in a browser. */
describe('the drop-in at /connect/v1.js', () => {
  const context = useSharedContext();
  const get = (path = '/connect/v1.js') => request(context.app.url).get(path);

  it('is a script that pages of all origins may load, and validate after an hour', async () => {
    const { headers, text } = await get().set('Origin', 'https://app.example.com').expect(200);
    expect(text).toBe(readFileSync(BUILT, 'utf8'));
    expect(headers).toMatchObject({
      'content-type': 'text/javascript; charset=utf-8',
      'cache-control': 'public, max-age=3600',
      'access-control-allow-origin': '*',
      'cross-origin-resource-policy': 'cross-origin',
      'x-content-type-options': 'nosniff',
    });
    expect(headers['set-cookie']).toBeUndefined();
    await get().set('If-None-Match', headers.etag!).expect(304);
  });

  it('is sent with the best compression that the browser accepts', async () => {
    const codingOf = async (accepted: string) =>
      (await get().set('Accept-Encoding', accepted).expect(200)).headers['content-encoding'];
    expect(await codingOf('gzip, br')).toBe('br');
    expect(await codingOf('gzip')).toBe('gzip');
    expect(await codingOf('identity')).toBeUndefined();
  });

  it('is the only file below /connect, and cannot be changed', async () => {
    for (const path of ['/connect', '/connect/', '/connect/v1.js.br', '/connect/v2.js', '/connect/../ui/index.html'])
      await get(path).expect(404);
    await request(context.app.url).post('/connect/v1.js').expect(404);
  });

  it.each([
    [412, 'If-Match', '"another"'],
    [416, 'Range', 'bytes=99999999-'],
  ])('answers %d without the headers of the script', async (status, header, value) => {
    const { headers } = await get().set(header, value).expect(status);
    expect(headers['content-type']).toMatch(/json/);
    expect(headers['cache-control']).toBe('no-store');
  });
});
