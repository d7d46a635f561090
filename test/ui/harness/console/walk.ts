import type { Response } from 'playwright-core';
import { findViolations } from '../check-page';
import type { ConsoleVisit } from '../console-visit';
import { findKeyboardProblems } from './keyboard';
import { findBrokenWords } from './words';

/** A view, and what it shows when it has loaded. */
export interface Stop {
  /** Its path in `views.ts`. */
  readonly view: string;
  readonly address: string;
  /** The list whose rows are counted, and how many it has: a page, however many there are. */
  readonly list?: readonly [caption: string, rows: number];
  readonly texts?: readonly string[];
  readonly selector?: string;
  /** Texts of other tenants, which it must not contain. */
  readonly hidden?: readonly string[];
}

/** What `walk` found. */
interface Walked {
  /** The rows of the list of each address. */
  readonly rows: Readonly<Record<string, number>>;
  /** Addresses that are wider than the window, with the width of the window. */
  readonly tooWide: readonly string[];
  /** Words that are broken into two lines. */
  readonly brokenWords: readonly string[];
  /** What axe found. */
  readonly violations: readonly string[];
  /** Controls that the tab key does not reach, or whose focus cannot be seen. */
  readonly keyboard: readonly string[];
  /** Addresses with texts that must not be there. */
  readonly leaks: readonly string[];
  /** The largest number of entries that a response had. */
  readonly mostEntries: number;
}

const WIDTHS = [320, 1280] as const;
export type Width = (typeof WIDTHS)[number];
const HEIGHT = 900;
/** Rows of a list have the same structure: axe checks the first ones, since its time grows with the page. */
const FURTHER_ROWS = ['tbody tr:nth-child(n + 5)'];

/** Opens view after view in one session, at both widths. axe and the keyboard check each at the width `axeAt`. */
export async function walk(
  { page, go }: ConsoleVisit,
  stops: readonly Stop[],
  axeAt: Width | undefined,
): Promise<Walked> {
  const entries: Promise<number>[] = [];
  page.on('response', (response) => entries.push(countEntries(response)));
  const rows: Record<string, number> = {};
  const tooWide: string[] = [];
  const brokenWords: string[] = [];
  const violations: string[] = [];
  const keyboard: string[] = [];
  const leaks: string[] = [];
  for (const stop of stops) {
    await go(stop.address);
    for (const text of stop.texts ?? []) await page.getByText(text, { exact: true }).first().waitFor();
    if (stop.selector) await page.locator(stop.selector).first().waitFor();
    if (stop.list) {
      const list = page.getByRole('table', { name: stop.list[0], exact: true });
      await list.waitFor();
      rows[stop.address] = await list.locator('tbody tr').count();
    }
    const shown = stop.hidden?.length ? await page.content() : '';
    leaks.push(...(stop.hidden ?? []).filter((text) => shown.includes(text)).map((text) => `${stop.address}: ${text}`));
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: HEIGHT });
      const name = `${stop.address} (${width})`;
      if (await page.evaluate(isTooWide)) tooWide.push(name);
      brokenWords.push(...(await findBrokenWords(page, name)));
      if (width !== axeAt) continue;
      violations.push(...(await findViolations(page.mainFrame(), name, undefined, FURTHER_ROWS)));
      keyboard.push(...(await findKeyboardProblems(page, name)));
    }
  }
  return {
    rows,
    tooWide,
    brokenWords,
    violations,
    keyboard,
    leaks,
    mostEntries: Math.max(0, ...(await Promise.all(entries))),
  };
}

const isTooWide = () => document.documentElement.scrollWidth > document.documentElement.clientWidth;

/** Entries of a response of the API; 0 for others, and for those of a view that was left before they arrived. */
async function countEntries(response: Response): Promise<number> {
  if (!response.url().includes('/v1/')) return 0;
  const body = (await response.json().catch(() => null)) as { data?: unknown } | null;
  return Array.isArray(body?.data) ? body.data.length : 0;
}
