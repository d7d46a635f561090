import { gzipSync } from 'node:zlib';
import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Page, Response, Route } from 'playwright-core';
import { useUi, type Visit } from '../harness/ui-context';

const ui = useUi();
const ASSETS = join(__dirname, '../../../dist/ui/assets');
type Token = Record<string, unknown>;
/** Limit of JavaScript, compressed with gzip, and of the bodies of all responses, as they are sent. */
const MAX_BYTES = 150_000;
const field = ({ page }: Visit, id: string) => page.locator(`[data-field="${id}"] input`).first();

/** The scripts that the page has loaded, after the network is idle. */
async function scriptsOf(page: Page): Promise<string[]> {
  await page.waitForLoadState('networkidle');
  const addresses = await page.evaluate(() => performance.getEntriesByType('resource').map(({ name }) => name));
  return [...new Set(addresses.filter((address) => address.endsWith('.js')).map((address) => basename(address)))];
}

/** Bytes of the bodies of all responses as they were sent: page, scripts, styles, data and images. */
async function sentBytes(responses: readonly Response[]): Promise<number> {
  const sizes = await Promise.all(responses.map((response) => response.request().sizes()));
  return sizes.reduce((sum, { responseBodySize }) => sum + responseBodySize, 0);
}

const bytesOf = (scripts: readonly string[]) =>
  scripts.reduce((sum, name) => sum + gzipSync(readFileSync(join(ASSETS, name)), { level: 9 }).length, 0);

describe('what a browser loads before the page is interactive', () => {
  it.each<[string, (identity: string) => Promise<Token> | Token, (visit: Visit) => Promise<void>]>([
    ['the first view of somebody new', () => ({}), ({ messages, heading }) => heading(messages.overview.emptyTitle)],
    [
      'the overview',
      async (identity) => {
        await ui.connection(identity);
        return {};
      },
      ({ messages, heading }) => heading(messages.overview.title),
    ],
    [
      'a mailbox to be connected',
      () => ({ integration_id: 'imap' }),
      ({ page }) => page.locator('[data-field="email"] input').waitFor(),
    ],
    [
      'a mailbox at a known provider',
      () => ({ integration_id: 'gmx' }),
      ({ page }) => page.locator('[data-field="password"] input').waitFor(),
    ],
    [
      'a form with inputs of every kind',
      () => ({ integration_id: 'sandbox' }),
      ({ page }) => page.locator('[data-field="documents"] input').waitFor(),
    ],
    [
      'the credentials of a source',
      async (identity) => ({ connection_uuid: await ui.connection(identity) }),
      ({ page }) => page.locator('[data-field="documents"] input').waitFor(),
    ],
  ])('is small: %s', async (_, token, shown) => {
    const identity = await ui.client.createIdentity();
    const responses: Response[] = [];
    const visit = await ui.visit('de', {
      identity,
      token: await token(identity),
      beforeOpen: (page) => Promise.resolve(page.on('response', (response) => responses.push(response))),
    });
    await shown(visit);
    const scripts = await scriptsOf(visit.page);
    expect(scripts.length).toBeGreaterThan(1);
    expect(bytesOf(scripts)).toBeLessThanOrEqual(MAX_BYTES);
    expect(responses.length).toBeGreaterThan(scripts.length);
    expect(await sentBytes(responses)).toBeLessThanOrEqual(MAX_BYTES);
  });

  it('does not load the unused date picker', () => {
    const scripts = readdirSync(ASSETS)
      .filter((name) => name.endsWith('.js'))
      .map((name) => readFileSync(join(ASSETS, name), 'utf8'));
    expect(scripts.filter((script) => script.includes('gregory')).length).toBeGreaterThan(0);
    expect(scripts.filter((script) => /umalqura|minguo|meiji|tbla/i.test(script))).toEqual([]);
  });
});

describe('the data of the first view', () => {
  const session = '/v1/ui/session';
  it.each<[string, (identity: string) => Promise<[Token, string[]]>]>([
    ['the overview', () => Promise.resolve([{}, [session, '/v1/integrations', '/v1/connections']])],
    ['a mailbox, whose address is asked for first', () => Promise.resolve([{ integration_id: 'imap' }, [session]])],
    ['a form', () => Promise.resolve([{ integration_id: 'sandbox' }, [session, '/v1/integrations/sandbox']])],
    [
      'the credentials of a source',
      async (identity) => {
        const uuid = await ui.connection(identity);
        return [{ connection_uuid: uuid }, [session, `/v1/connections/${uuid}`, '/v1/integrations/sandbox']];
      },
    ],
  ])('is requested before the application is loaded, and once: %s', async (_, needs) => {
    const identity = await ui.client.createIdentity();
    const [token, expected] = await needs(identity);
    const requested: string[] = [];
    const all = Promise.withResolvers<void>();
    const { page } = await ui.visit('de', {
      ...{ identity, token },
      beforeOpen: (opening) => {
        opening.on('request', (request) => {
          requested.push(new URL(request.url()).pathname);
          if (expected.every((path) => requested.includes(path))) all.resolve();
        });
        return opening.route('**/assets/app-*.js', (route) => all.promise.then(() => route.continue()));
      },
    });
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.waitForLoadState('networkidle');
    expect(requested.filter((path) => path.startsWith('/v1/')).sort()).toEqual(expected.sort());
  });
});

describe('a form whose lazy inputs are still loading', () => {
  const held: Route[] = [];
  const hold = (page: Page) => page.route('**/assets/date-input-*.js', (route) => void held.push(route));
  afterEach(() => held.splice(0));

  it('can be used; nothing moves when they load, and no input is lost', async () => {
    const visit = await ui.visit('de', { token: { integration_id: 'sandbox' }, beforeOpen: hold });
    const { page, messages, checkView } = visit;
    await field(visit, 'user').fill('demo');
    await field(visit, 'password').fill('secret');
    await page.getByRole('button', { name: messages.fields.advanced }).click();
    expect(await page.locator('[data-field="startdate"] [aria-busy]').count()).toBe(1);
    await checkView('form-waiting');
    const places = () =>
      page.locator('[data-field], .actions').evaluateAll((all) => all.map((it) => it.getBoundingClientRect().top));
    const before = await places();
    await Promise.all(held.map((route) => route.continue()));
    await page.locator('[data-field="startdate"] .segments').waitFor();
    expect(await places()).toEqual(before);
    expect(await field(visit, 'user').inputValue()).toBe('demo');
    await page.getByRole('button', { name: messages.connect.submit, exact: true }).click();
    await visit.heading(messages.content.title);
  });

  it('shows that they could not be loaded, and retries automatically without losing input', async () => {
    const visit = await ui.visit('de', {
      token: { integration_id: 'sandbox' },
      beforeOpen: (page) => page.route('**/assets/date-input-*.js', (route) => route.abort()),
    });
    const { page, messages, checkView } = visit;
    await field(visit, 'user').fill('demo');
    await page.getByRole('button', { name: messages.fields.advanced }).click();
    const place = page.locator('[data-field="startdate"]');
    const again = place.getByRole('button', { name: messages.fields.loadAgain });
    await again.click();
    await again.waitFor();
    await checkView('form-not-whole');
    await page.unroute('**/assets/date-input-*.js');
    await place.locator('.segments').waitFor();
    expect(await field(visit, 'user').inputValue()).toBe('demo');
  });
});
