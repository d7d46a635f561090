import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import request from 'supertest';
import { startApp, type TestApp } from '../../../harness/app/start-app';
import { expectError } from '../../../harness/http/expect-error';

const ROOT = join(__dirname, '../../../..');
const GUIDES = readdirSync(join(ROOT, 'docs/guides'))
  .filter((file) => file !== 'README.md')
  .map((file) => file.slice(0, -'.md'.length));
const EXAMPLES = readdirSync(join(ROOT, 'docs/examples'));

let app: TestApp;
beforeAll(async () => {
  execFileSync(process.execPath, ['tools/build/main.mjs', 'docs'], { cwd: ROOT });
  app = await startApp();
}, 120_000);
afterAll(() => app?.stop());

const get = (path: string) => request(app.url).get(path);

describe('The documentation site at /guides', () => {
  it.each([
    '',
    ...GUIDES,
    'api/fetches',
    'api/objects',
    'errors',
    'settings',
    'glossary',
    'changelog',
    'examples',
    'providers/sevdesk',
  ])('serves /guides/%s as a page that browsers validate at each visit', async (name) => {
    const { text, headers } = await get(`/guides/${name}`)
      .expect(200)
      .expect('Content-Type', /^text\/html/);
    expect(text).toMatch(/<title>[^<]*Docfetch[^<]*<\/title>/);
    expect(headers['cache-control']).toBe('no-cache');
    await get(`/guides/${name}`).set('If-None-Match', headers.etag!).expect(304);
  });

  it('has the Postman collection of the API', async () => {
    const { body } = await get('/guides/docfetch.postman_collection.json')
      .expect(200)
      .expect('Content-Type', /^application\/json/);
    expect(body).toMatchObject({
      info: { name: 'Docfetch', schema: expect.stringContaining('/collection/v2.1.0/') },
      item: expect.arrayContaining([expect.objectContaining({ name: 'Transactions' })]),
    });
  });

  it('has the schema of the files of providers, for editors', async () => {
    const { body } = await get('/guides/provider.schema.json')
      .expect(200)
      .expect('Content-Type', /^application\/json/);
    expect(body).toEqual(
      JSON.parse(readFileSync(join(ROOT, 'src/integrations/declarative/language/provider.schema.json'), 'utf8')),
    );
  });

  it('permits only its own files and its inline scripts', async () => {
    const { text, headers } = await get('/guides/quick-start').expect(200);
    const policy = headers['content-security-policy'] as string;
    expect(policy).toContain("default-src 'none'");
    expect(policy).not.toContain('unsafe');
    expect(text).not.toMatch(/<[^>]* style="/);
    const inline = [...text.matchAll(/<script(?![^>]* src=)[^>]*>([\s\S]*?)<\/script>/g)].map(([, script]) => script!);
    expect(inline.length).toBeGreaterThan(0);
    for (const script of inline) {
      expect(policy).toContain(`'sha256-${createHash('sha256').update(script).digest('base64')}'`);
    }
    expect(text).not.toMatch(/<(script|link|img)[^>]* (src|href)="(https?:)?\/\//);
  });

  it('serves files whose names contain a hash compressed and for good', async () => {
    const { text } = await get('/guides/');
    const [script] = /\/guides\/assets\/app\.[\w-]+\.js/.exec(text)!;
    const { headers } = await get(script).set('Accept-Encoding', 'br').expect(200);
    expect(headers).toMatchObject({
      'cache-control': 'public, max-age=31536000, immutable',
      'content-encoding': 'br',
      'content-type': expect.stringMatching(/javascript/),
    });
  });

  it('answers other addresses with a page of its own', async () => {
    for (const path of ['/guides/nowhere', '/guides/assets/nothing.js', '/guides/..%2f..%2fpackage.json']) {
      const { text, headers } = await get(path)
        .expect(404)
        .expect('Content-Type', /^text\/html/);
      expect(text).toContain('<title>404');
      expect(headers['cache-control']).toBe('no-cache');
    }
    expectError(await request(app.url).post('/guides/quick-start'), 404, 'ROUTE_NOT_FOUND');
  });

  it('is what the root and former addresses of the guides lead to', async () => {
    await get('/').expect(302).expect('Location', '/guides/');
    await get('/guides').expect(308).expect('Location', '/guides/');
    await get('/docs/guides').expect(308).expect('Location', '/guides/');
    await get('/docs/guides/README').expect(308).expect('Location', '/guides/');
    await get('/docs/guides/quick-start').expect(308).expect('Location', '/guides/quick-start');
  });

  it('has a list and the whole text for language models', async () => {
    const { text } = await get('/llms.txt')
      .expect(200)
      .expect('Content-Type', /^text\/plain; charset=utf-8/i);
    expect(text).toMatch(/^# Docfetch\n\n> Docfetch fetches /);
    const pages = [...text.matchAll(/\]\((\/guides\/[^)]+\.md)\)/g)].map(([, path]) => path!);
    for (const name of GUIDES) expect(pages).toContain(`/guides/${name}.md`);
    for (const path of pages) {
      const page = await get(path)
        .expect(200)
        .expect('Content-Type', /^text\/markdown; charset=utf-8/i);
      expect([path, page.text.startsWith('# ')]).toEqual([path, true]);
    }
    const { text: all } = await get('/llms-full.txt').expect(200);
    expect(all).toContain('# Quick start');
    expect(all).not.toContain('::: code-group');
  });

  it('shows the samples of an operation as tabs', async () => {
    const { text } = await get('/guides/api/fetches');
    const groups = [...text.matchAll(/<div class="vp-code-group[^>]*><div class="tabs">(.*?)<\/div>/g)];
    const labels = groups.map(([, tabs]) => [...tabs!.matchAll(/<label[^>]*>([^<]*)</g)].map(([, label]) => label));
    expect(labels).toHaveLength(5);
    for (const each of labels) expect(each).toEqual(['curl', 'TypeScript', 'Python', 'PHP']);
  });

  it('links only what the service serves', async () => {
    const { text } = await get('/guides/');
    const links = [...text.matchAll(/<a [^>]*href="(\/[^"#]*)/g)].map(([, href]) => href!);
    expect(links.length).toBeGreaterThan(20);
    for (const href of new Set(links)) {
      const { status } = await get(href);
      expect([href, status]).toEqual([href, 200]);
    }
  });
});

describe('GET /docs/examples/{file}', () => {
  it.each(EXAMPLES)('serves %s unchanged as plain text', async (file) => {
    const { text } = await get(`/docs/examples/${file}`)
      .expect(200)
      .expect('Content-Type', 'text/plain; charset=utf-8');
    expect(text).toBe(readFileSync(join(ROOT, 'docs/examples', file), 'utf8'));
  });

  it.each(['nothing.mjs', '..%2foperations.md'])('has no example %s', async (file) => {
    expectError(await get(`/docs/examples/${file}`), 404, 'ROUTE_NOT_FOUND');
  });
});
