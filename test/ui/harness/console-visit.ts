import type { Page } from 'playwright-core';
import { CreateConsoleLink } from '../../../src/auth/console-sign-in/create-console-link';
import type { ConsoleRole } from '../../../src/platform/http/access/access.decorator';
import { de } from '../../../console/src/messages/de';
import { type ConsoleMessages, en } from '../../../console/src/messages/en';
import type { Lang, PageOptions, UiContext, Visit } from './ui-context';

const TEXTS: Readonly<Record<Lang, ConsoleMessages>> = { en, de };

/** An open page of the console. */
export interface ConsoleVisit extends Omit<Visit, 'messages'> {
  readonly texts: ConsoleMessages;
  /** Opens another view without a reload, by its address: `connections?status=ACTIVE`. */
  go(address: string): Promise<void>;
  /** Lets the lists of the page load now, instead of in ten seconds; they have sent their requests when it resolves. */
  refresh(): Promise<void>;
}

export interface ConsoleOptions extends PageOptions {
  readonly role?: ConsoleRole;
  readonly environmentUuid?: string;
}

/** Creates a link, as the support team does. */
export async function consoleLink(
  { app, client }: UiContext,
  { role = 'DEVELOPER', environmentUuid = client.environmentUuid }: ConsoleOptions = {},
): Promise<string> {
  const create = app.app.get(CreateConsoleLink, { strict: false });
  return (await create.create('cli:test', { environmentUuid, role, seconds: 900 })).url;
}

/** Signs in with a link. The language is that of the page's switch. */
export async function openConsole(ui: UiContext, lang: Lang, options: ConsoleOptions = {}): Promise<ConsoleVisit> {
  const url = await consoleLink(ui, options);
  const visit = await ui.openPage(lang, url, {
    width: 1280,
    ...options,
    beforeOpen: async (page) => {
      await page.addInitScript((chosen) => localStorage.setItem('docfetch.console.language', chosen), lang);
      await options.beforeOpen?.(page);
    },
  });
  await visit.page.locator('.top').waitFor();
  return {
    ...visit,
    texts: TEXTS[lang],
    go: (address) => goTo(visit.page, address),
    refresh: () => refresh(visit.page),
  };
}

/** Resolves when the former view is gone; filters and tabs are no other view. */
async function goTo(page: Page, address: string): Promise<void> {
  const heading = await page.evaluateHandle(() => document.querySelector('h1'));
  const isSame = await page.evaluate((to) => {
    const viewOf = (hash: string) => hash.replace(/^#\/([0-9a-f-]{36}(\/|$))?/, '').split('?')[0];
    const before = viewOf(location.hash);
    location.hash = `#/${to}`;
    return viewOf(location.hash) === before;
  }, address);
  if (!isSame) await page.waitForFunction((old) => !old?.isConnected && document.querySelector('h1') !== null, heading);
}

async function refresh(page: Page): Promise<void> {
  await page.evaluate(async () => {
    document.dispatchEvent(new Event('visibilitychange'));
    // Requests are sent in their order: those of the lists have been, when this one is answered.
    await fetch('/console/', { cache: 'no-store' });
  });
}
