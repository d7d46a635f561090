import type { Browser, BrowserContext, Frame, Page } from 'playwright-core';
import { Client } from 'pg';
import { UpdateEnvironment } from '../../../src/identities/environments/update-environment';
import { de } from '../../../ui/src/messages/de';
import { en, type Messages } from '../../../ui/src/messages/en';
import { createTestClient, type TestClient } from '../../harness/app/test-client';
import { startApp, type TestApp, type TestAppOptions } from '../../harness/app/start-app';
import { openBrowser } from './browser';
import { checkPage, takeScreenshot } from './check-page';
import { ClientSite } from './client-site';
import { type ConnectionFixtures, connectionFixtures } from './connection-fixtures';
import { freePort } from '../../harness/free-port';

export type Lang = 'en' | 'de';
/** The languages of the hosted UI and of the console, or the one that `UI_LANGUAGE` names: a run in one takes little more than half the time. */
export const LANGUAGES: readonly Lang[] = (['en', 'de'] as const).filter(
  (lang) => (process.env.UI_LANGUAGE ?? lang) === lang,
);
/** Pixels of a page of the hosted UI, unless a test needs another width. */
const WIDTH = Number(process.env.UI_WIDTH ?? 820);
export const MESSAGES: Readonly<Record<Lang, Messages>> = { en, de };
/** The accessible name of the sandbox tile in both languages; must not match the sandbox with OAuth. */
export const SANDBOX_TILE = /^Sandbox.portal (?!\(OAuth)/i;

type Body = Record<string, unknown>;

/** An open page of the hosted UI. */
export interface Visit {
  readonly page: Page;
  readonly messages: Messages;
  readonly lang: Lang;
  /** Checks accessibility and layout of the current view and takes screenshots; `afterEach` expects no problems. */
  checkView(name: string, inScheme?: () => Promise<unknown>, within?: Frame): Promise<void>;
  /** Takes a screenshot without checks. */
  screenshot(name: string): Promise<void>;
  heading(text: string): Promise<void>;
}

export interface PageOptions {
  readonly width?: number;
  /** Images that are served for URLs of other hosts. */
  readonly images?: Readonly<Record<string, string>>;
  /** Runs before the page is opened. */
  readonly beforeOpen?: (page: Page) => Promise<unknown>;
  /** Errors that are expected in the console of the browser. */
  readonly expectedConsoleErrors?: RegExp;
  readonly onConsoleError?: (text: string) => void;
}

export interface VisitOptions extends PageOptions {
  readonly identity?: string;
  /** Further properties of the `POST /token` body. */
  readonly token?: Body;
  /** Seconds until the session expires. Default 1800. */
  readonly secondsLeft?: number;
  /** Returns the URL of a page that embeds the given URL. */
  readonly hostUrl?: (uiUrl: string) => string;
}

export interface UiContext extends ConnectionFixtures {
  readonly app: TestApp;
  readonly client: TestClient;
  readonly clientSite: ClientSite;
  /** Opens a page of the service. */
  openPage(lang: Lang, url: string, options?: PageOptions): Promise<Visit>;
  /** Opens the page for a new identity, or for the given one. */
  visit(lang: Lang, options?: VisitOptions): Promise<Visit>;
  query<Row extends object = Body>(text: string, parameters?: unknown[]): Promise<Row[]>;
}

/** Starts further servers, such as providers, before the application; returns options for it. */
export type ServerStarter = (publicUrl: string) => Promise<Partial<TestAppOptions>>;

/** Starts the application with its workers, a database and a browser. */
export function useUi(startServers: ServerStarter = () => Promise.resolve({})): UiContext {
  const uiContext = {} as { -readonly [Member in keyof UiContext]: UiContext[Member] };
  let browser: Browser;
  let database: Client;
  const contexts: BrowserContext[] = [];
  const problems: string[] = [];

  beforeAll(async () => {
    const port = await freePort();
    const publicUrl = `http://127.0.0.1:${port}`;
    const { settings, ...more } = await startServers(publicUrl);
    uiContext.app = await startApp({ role: 'all', ...more, settings: { port, publicUrl, ...settings } });
    database = new Client({ connectionString: uiContext.app.databaseUrl });
    await database.connect();
    uiContext.clientSite = await ClientSite.start();
    uiContext.client = await createTestClient(uiContext.app, {
      environment: { returnOrigins: [uiContext.clientSite.origin] },
    });
    const update = uiContext.app.app.get(UpdateEnvironment, { strict: false });
    await update.update('test', uiContext.client.environmentUuid, {
      theme: { name: 'Muster Buchhaltung', primary_color: '#e8a33d' },
    });
    browser = await openBrowser();
  });

  afterEach(async () => {
    for (const context of contexts.splice(0)) await context.close();
    expect(problems.splice(0)).toEqual([]);
  });

  afterAll(async () => {
    await browser?.close();
    await uiContext.clientSite?.stop();
    await database?.end();
    await uiContext.app?.stop();
  });

  uiContext.query = async <Row extends object>(text: string, parameters: unknown[] = []) =>
    (await database.query<Row>(text, parameters)).rows;

  uiContext.visit = async (lang, options = {}) => {
    const { identity, token = {}, secondsLeft = 1800, hostUrl = (url) => url } = options;
    const identityUuid = identity ?? (await uiContext.client.createIdentity());
    // Issues the token in the past.
    uiContext.app.clock.advance(secondsLeft - 1800);
    const { body } = await uiContext.client
      .request('post', '/token')
      .send({
        identity_uuid: identityUuid,
        return_url: uiContext.clientSite.returnUrl,
        state: 'order-17',
        lang,
        ...token,
      })
      .expect(201);
    uiContext.app.clock.advance(1800 - secondsLeft);
    return uiContext.openPage(lang, hostUrl((body as { data: { ui_url: string } }).data.ui_url), options);
  };

  uiContext.openPage = async (lang, url, options = {}) => {
    const { width = WIDTH, images = {}, beforeOpen, expectedConsoleErrors, onConsoleError } = options;
    const context = await browser.newContext({
      viewport: { width, height: 900 },
      locale: 'en-GB',
      timezoneId: 'Europe/Berlin',
      reducedMotion: 'reduce',
    });
    contexts.push(context);
    const page = await context.newPage();
    page.setDefaultTimeout(30_000);
    page.on('pageerror', (error) => problems.push(`A script failed: ${String(error)}`));
    page.on('console', (message) => {
      // Rejected requests are expected, the page shows them; other console errors are not.
      const text = message.text();
      if (message.type() !== 'error' || /^Failed to load resource/.test(text)) return;
      onConsoleError?.(text);
      if (!expectedConsoleErrors?.test(text)) problems.push(text);
    });
    for (const [address, body] of Object.entries(images))
      await page.route(address, (route) => route.fulfill({ contentType: 'image/svg+xml', body }));
    await beforeOpen?.(page);
    await page.goto(url);
    return {
      page,
      lang,
      messages: MESSAGES[lang],
      checkView: async (name, inScheme, within) =>
        void problems.push(
          ...(await checkPage(page, `${name}.${lang}${width < 400 ? '.narrow' : ''}`, inScheme, within)),
        ),
      screenshot: (name) => takeScreenshot(page, `${name}.${lang}`),
      heading: (text) => page.getByRole('heading', { level: 1, name: text, exact: true }).waitFor(),
    };
  };

  Object.assign(uiContext, connectionFixtures(uiContext));
  return uiContext;
}
