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
  /** Lets the lists of the page load now, instead of in ten seconds. */
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

async function goTo(page: Page, address: string): Promise<void> {
  await page.evaluate((to) => (location.hash = `#/${to}`), address);
}

const refresh = (page: Page): Promise<void> =>
  page.evaluate(() => void document.dispatchEvent(new Event('visibilitychange')));
