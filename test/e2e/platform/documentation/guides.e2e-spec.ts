import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import request from 'supertest';
import { expectError } from '../../../harness/http/expect-error';
import { startApp, type TestApp } from '../../../harness/app/start-app';

const DOCS = join(__dirname, '../../../../docs');
const GUIDES = readdirSync(join(DOCS, 'guides')).map((file) => file.slice(0, -'.md'.length));

let app: TestApp;
beforeAll(async () => (app = await startApp()));
afterAll(() => app?.stop());

const get = (path: string) => request(app.url).get(path);

describe('GET /docs/guides', () => {
  it('lists every guide', async () => {
    const { text } = await get('/docs/guides').expect(200).expect('Content-Type', 'text/html; charset=utf-8');
    for (const name of GUIDES.filter((guide) => guide !== 'README'))
      expect(text).toContain(`href="/docs/guides/${name}"`);
  });

  it.each(GUIDES)('serves %s as a page without scripts and external resources', async (name) => {
    const { text, headers } = await get(`/docs/guides/${name}`).expect(200);
    const [heading] = readFileSync(join(DOCS, 'guides', `${name}.md`), 'utf8').split('\n');
    expect(text).toContain(`<title>${heading!.slice('# '.length)} · Docfetch</title>`);
    expect(headers['content-security-policy']).toMatch(/^default-src 'none'; style-src 'sha256-[\w+/]{43}='; /);
    expect(text).not.toMatch(/<script|<img|<link|style="|\son\w+="/);
  });

  it('has no dead links', async () => {
    const seen = new Set<string>();
    const anchors = new Map<string, string[]>();
    for (const name of GUIDES) {
      const { text } = await get(`/docs/guides/${name}`).expect(200);
      anchors.set(
        `/docs/guides/${name}`,
        [...text.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id!),
      );
      for (const [, href] of text.matchAll(/href="([^"]+)"/g)) seen.add(href!);
    }
    for (const href of seen) {
      if (href.startsWith('https://')) continue;
      const [path = '', anchor] = href.split('#');
      const { status } = await get(path);
      expect([href, status]).toEqual([href, 200]);
      if (anchor) expect(anchors.get(path)).toContain(anchor);
    }
    expect(seen.size).toBeGreaterThan(GUIDES.length);
  });

  it.each(['nowhere', '..%2f..%2fpackage', 'quick-start.md', '__proto__'])('has no guide %s', async (name) => {
    expectError(await get(`/docs/guides/${name}`), 404, 'ROUTE_NOT_FOUND');
  });
});

describe('GET /docs/examples/{file}', () => {
  it.each(readdirSync(join(DOCS, 'examples')))('serves %s unchanged as plain text', async (file) => {
    const { text } = await get(`/docs/examples/${file}`)
      .expect(200)
      .expect('Content-Type', 'text/plain; charset=utf-8');
    expect(text).toBe(readFileSync(join(DOCS, 'examples', file), 'utf8'));
  });

  it.each(['nothing.mjs', '..%2foperations.md'])('has no example %s', async (file) => {
    expectError(await get(`/docs/examples/${file}`), 404, 'ROUTE_NOT_FOUND');
  });
});
