import type { FrameLocator, Page } from 'playwright-core';
import { UpdateEnvironment } from '../../../src/identities/environments/update-environment';
import { ExampleProcess } from '../../e2e/examples/example-process';
import { SANDBOX_TILE, type UiContext, type Visit, type VisitOptions } from './ui-context';

/** `docs/examples/connect-page.mjs` as a client's site, on another site than the service. */
export interface ConnectPage {
  readonly origin: string;
  readonly example: ExampleProcess;
  /** Opens the example's page. */
  visit(options?: VisitOptions): Promise<Visit>;
  /** Sets the origins that the environment allows in addition to that of the page. */
  allow(origins: { readonly returning?: readonly string[]; readonly embedding?: readonly string[] }): Promise<unknown>;
}

/** Starts the example before all tests, with an environment that allows its origin. */
export function useConnectPage(ui: UiContext): ConnectPage {
  const connectPage = {
    visit: (options) => ui.visit('en', { hostUrl: () => `${connectPage.origin}/`, ...options }),
    allow: ({ returning = [], embedding = [] }) =>
      ui.app.app.get(UpdateEnvironment, { strict: false }).update('test', ui.client.environmentUuid, {
        returnOrigins: [connectPage.origin, ui.clientSite.origin, ...returning],
        embeddingOrigins: [connectPage.origin, ...embedding],
      }),
  } as { -readonly [Member in keyof ConnectPage]: ConnectPage[Member] };

  beforeAll(async () => {
    connectPage.example = new ExampleProcess('connect-page.mjs', {
      DOCFETCH_URL: ui.app.settings.publicUrl,
      API_KEY: ui.client.apiKey,
      SECRET: ui.client.signingSecret,
    });
    connectPage.origin = (await connectPage.example.url()).replace(/\/$/, '');
    await connectPage.allow({});
  });
  afterAll(() => connectPage.example?.kill());
  return connectPage;
}

/** Connects the sandbox in the hosted UI, up to the end of the first fetch. */
export async function connectSandbox(view: Page | FrameLocator, { messages }: Visit): Promise<void> {
  await view.getByRole('link', { name: messages.overview.add }).first().click();
  await view.getByRole('button', { name: SANDBOX_TILE }).click();
  await view.locator('[data-field="user"] input').fill('demo');
  await view.locator('[data-field="password"] input').fill('secret');
  await view.getByRole('button', { name: messages.connect.submit, exact: true }).click();
  await view.getByRole('button', { name: messages.content.submit }).click();
  await view.getByText(messages.done.finished(3)).waitFor();
}

/** Presses the button that leads back to the client's application. */
export const finish = (view: Page | FrameLocator, { messages }: Visit): Promise<void> =>
  view.getByRole('button', { name: messages.leave.finishTo('Muster Buchhaltung') }).click();

/** Resolves when the example's page shows this outcome. */
export const outcome = (page: Page, text: string): Promise<void> =>
  page.locator('#outcome', { hasText: text }).waitFor();

/** Changes the headers of the page. */
export async function changeHeaders(
  page: Page,
  origin: string,
  change: (headers: Record<string, string>) => Record<string, string>,
): Promise<void> {
  // The browser does not know the address of such a page, and would not let it load a script from this machine.
  await page.context().grantPermissions(['local-network-access'], { origin });
  await page.context().route(`${origin}/**`, async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, headers: change(response.headers()) });
  });
}

/** Resolves with the popup that a button opens. */
export async function popupOf(page: Page, press: () => Promise<unknown>): Promise<Page> {
  return (await Promise.all([page.waitForEvent('popup'), press()]))[0];
}
