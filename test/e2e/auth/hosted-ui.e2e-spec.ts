import { READABLE_STYLE_SOURCE } from '../../../src/transactions/readable/readable-style';
import request from 'supertest';
import { PreviewTheme } from '../../../src/auth/theme-preview/preview-theme';
import { UpdateEnvironment } from '../../../src/identities/environments/update-environment';
import { useTestContext } from '../../harness/app/test-context';

/** Tests how the output of `npm run ui` is served; test/ui tests its behavior in a browser. */
describe('the hosted UI at /ui', () => {
  const context = useTestContext();
  const get = (path: string) => request(context.app.url).get(path);
  const policyOf = (headers: Record<string, string>) =>
    Object.fromEntries(headers['content-security-policy']!.split(';').map((part) => part.split(/ (.*)/).slice(0, 2)));

  it('is a page with no-store, no referrer and no external resources', async () => {
    const { headers, text } = await get(`/ui?token=${context.token}`).expect(200);
    expect(headers['content-type']).toBe('text/html; charset=utf-8');
    expect(headers['cache-control']).toBe('no-store');
    expect(headers['referrer-policy']).toBe('no-referrer');
    expect(headers['x-content-type-options']).toBe('nosniff');
    expect(headers['x-frame-options']).toBe('DENY');
    expect(policyOf(headers)).toEqual({
      'default-src': "'none'",
      'script-src': "'self'",
      'style-src': `'self' ${READABLE_STYLE_SOURCE}`,
      'img-src': "'self'",
      'connect-src': "'self'",
      'form-action': "'none'",
      'frame-ancestors': "'none'",
      'base-uri': "'none'",
    });
    expect(text).not.toMatch(/<style|style=|<script>|https?:\/\//);
    expect(text).not.toContain(context.token);
  });

  it('shows a signed preview of a theme, with its logo and in frames of its own, until it expires', async () => {
    const previewTheme = context.app.app.get(PreviewTheme, { strict: false });
    const change = { logo_url: 'https://cdn.example.com/logo.svg' };
    const { url, expiresAt, theme } = await previewTheme.preview(context.client.environmentUuid, change);
    expect(theme).toEqual(change);
    const { pathname, search } = new URL(url);
    const { headers } = await get(pathname + search).expect(200);
    expect(headers).not.toHaveProperty('x-frame-options');
    expect(headers).not.toHaveProperty('set-cookie');
    expect(policyOf(headers)).toMatchObject({
      'img-src': "'self' https://cdn.example.com",
      'frame-src': "'self'",
      'frame-ancestors': "'self'",
    });
    const expired = `${context.app.settings.publicUrl}/ui?preview=expired`;
    for (const wrong of [search.slice(0, -1), `${search}x`, '?preview=', '?preview=a&preview=b']) {
      expect((await get(pathname + wrong).expect(302)).headers['location']).toBe(expired);
    }
    const secondsLeft = (expiresAt.getTime() - context.app.clock.now().getTime()) / 1000;
    context.app.clock.advance(secondsLeft + 1);
    expect((await get(pathname + search).expect(302)).headers['location']).toBe(expired);
    context.app.clock.advance(-secondsLeft - 1);
    expect((await get('/ui?preview=expired').expect(200)).headers['x-frame-options']).toBe('DENY');
  });

  it.each(['/ui', '/ui/', '/ui?token=wrong', '/ui?token=a&token=b', '/ui?other=1'])(
    'answers %s with the page',
    async (path) => {
      const { text } = await get(path).expect(200);
      expect(text).toContain('<div id="root">');
    },
  );

  it('lets browsers cache its files permanently, because their names contain a hash', async () => {
    const { text } = await get('/ui').expect(200);
    const files = [...text.matchAll(/(?:src|href)="(\/ui\/assets\/[^"]+)"/g)].map(([, path]) => path!);
    expect(files.some((path) => path.endsWith('.js'))).toBe(true);
    expect(files.some((path) => path.endsWith('.css'))).toBe(true);
    for (const path of files) {
      const { headers } = await get(path).expect(200);
      expect(headers['cache-control']).toBe('public, max-age=31536000, immutable');
      expect(headers['x-content-type-options']).toBe('nosniff');
    }
  });

  it('sends its files with the best compression that the browser accepts', async () => {
    const { text } = await get('/ui').expect(200);
    // The last match is the page's script; the one before it is tiny.
    const file = [...text.matchAll(/src="(\/ui\/assets\/[^"]+\.js)"/g)].at(-1)![1]!;
    const sent = async (encoding: string) => {
      const { headers, text: script } = await get(file).set('Accept-Encoding', encoding).expect(200);
      expect(headers['content-type']).toMatch(/^text\/javascript/);
      expect(headers['vary']).toContain('Accept-Encoding');
      return { coding: headers['content-encoding'], bytes: Number(headers['content-length']), script };
    };
    const [plain, gzip, brotli] = [await sent('identity'), await sent('gzip'), await sent('gzip, br')];
    expect([plain.coding, gzip.coding, brotli.coding]).toEqual([undefined, 'gzip', 'br']);
    expect(gzip.bytes).toBeLessThan(plain.bytes / 2);
    expect(brotli.bytes).toBeLessThan(gzip.bytes);
    expect(gzip.script).toBe(plain.script);
  });

  it.each([
    [412, 'If-Match', '"another"'],
    [416, 'Range', 'bytes=99999999-'],
  ])('answers %d for a file without the headers of the file', async (status, header, value) => {
    const file = /src="([^"]+\.js)"/.exec((await get('/ui')).text)![1]!;
    const { headers, body } = await get(file).set('Accept-Encoding', 'br').set(header, value).expect(status);
    expect(headers['content-type']).toMatch(/json/);
    expect(headers['cache-control']).toBe('no-store');
    expect(headers).not.toHaveProperty('content-encoding');
    expect(headers).not.toHaveProperty('etag');
    expect(body).toMatchObject({ status });
  });

  it.each([
    '/ui/assets/nothing.js',
    '/ui/index.html',
    '/ui/assets/',
    '/ui/assets/../index.html',
    '/ui/.vite/manifest.json',
  ])('answers 404 at %s', async (path) => {
    const { body } = await get(path).expect(404);
    expect(body).toMatchObject({ code: 'ROUTE_NOT_FOUND' });
  });

  it('permits the logo of the environment, with its token or, after a reload, its uuid', async () => {
    const update = context.app.app.get(UpdateEnvironment, { strict: false });
    await update.update('test', context.client.environmentUuid, {
      theme: { logo_url: 'https://cdn.example.com/logo.svg' },
    });
    const { headers } = await get(`/ui?token=${context.token}`).expect(200);
    expect(policyOf(headers)['img-src']).toBe("'self' https://cdn.example.com");
    const reloaded = await get(`/ui?theme=${context.client.environmentUuid}`).expect(200);
    expect(policyOf(reloaded.headers)['img-src']).toBe("'self' https://cdn.example.com");
    expect(reloaded.headers).not.toHaveProperty('set-cookie');
    for (const query of ['', `?theme=${context.identity}`, '?theme=x', '?theme=a&theme=b'])
      expect(policyOf((await get(`/ui${query}`).expect(200)).headers)['img-src']).toBe("'self'");
    expect(policyOf((await get(`/ui?token=${context.token}x`).expect(200)).headers)['img-src']).toBe("'self'");
  });

  it('permits frames only on the origins that its environment allows', async () => {
    const update = context.app.app.get(UpdateEnvironment, { strict: false });
    const allow = (embeddingOrigins: string[]) =>
      update.update('test', context.client.environmentUuid, { embeddingOrigins });
    const framesOf = async (path: string) => {
      const { headers } = await get(path).expect(200);
      return [policyOf(headers)['frame-ancestors'], headers['x-frame-options']];
    };
    await allow(['https://app.example.com', 'http://localhost:8080']);
    expect(await framesOf(`/ui?token=${context.token}`)).toEqual([
      'https://app.example.com http://localhost:8080',
      undefined,
    ]);
    const refused = ["'none'", 'DENY'];
    const ofAnother = await context.otherClient.createToken(await context.otherClient.createIdentity());
    const reload = `?theme=${context.client.environmentUuid}`;
    for (const query of [
      '',
      reload,
      `?token=${context.token}x`,
      `?token=${ofAnother}`,
      '?result=success',
      '?resume=nothing',
    ])
      expect(await framesOf(`/ui${query}`)).toEqual(refused);
    await allow([]);
    expect(await framesOf(`/ui?token=${context.token}`)).toEqual(refused);
  });

  it('stays in contact with the page that has opened a popup, only with a valid token', async () => {
    const openerPolicy = async (query: string) =>
      (await get(`/ui${query}`).expect(200)).headers['cross-origin-opener-policy'];
    expect(await openerPolicy(`?token=${context.token}&connect=popup`)).toBe('unsafe-none');
    for (const query of [`?token=${context.token}`, `?token=${context.token}&connect=iframe`, '?connect=popup'])
      expect(await openerPolicy(query)).toBe('same-origin');
    const theme = `theme=${context.client.environmentUuid}&connect=popup`;
    for (const query of [`?token=${context.token}x&connect=popup`, `?${theme}`, `?token=${context.token}x&${theme}`])
      expect(await openerPolicy(query)).toBe('same-origin');
  });

  it('is served at ui_url', async () => {
    const { body } = await context.client
      .request('post', '/token')
      .send({ identity_uuid: context.identity, return_url: 'https://app.example.com/back' })
      .expect(201);
    const { ui_url } = (body as { data: { ui_url: string } }).data;
    await get(ui_url.slice(context.app.settings.publicUrl.length)).expect(200);
  });
});
