import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Frame, Page } from 'playwright-core';

/** Screenshots for manual review after a run; git-ignored. */
const SCREENSHOTS = join(__dirname, '../../../dist/ui-screenshots');
const AXE = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');
const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

interface Violation {
  readonly id: string;
  readonly help: string;
  readonly nodes: readonly { readonly target: unknown; readonly failureSummary?: string }[];
}

declare const axe: { run(root: Document, options: object): Promise<{ violations: Violation[] }> };

/**
 * Holds the page as it is now against WCAG 2.2 AA in both color schemes, and keeps a takeScreenshot of each. Answers what is wrong,
 * a line each. `inScheme` is done in each of them: a browser forgets some settings with the change. `within`: of a page
 * around ours, the frame that is ours.
 */
export async function checkPage(
  page: Page,
  name: string,
  inScheme?: () => Promise<unknown>,
  within: Frame = page.mainFrame(),
): Promise<string[]> {
  const faults: string[] = [];
  for (const colorScheme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await inScheme?.();
    await within.evaluate(settled);
    await within.evaluate(AXE);
    const violations = await within.evaluate(async (values) => {
      const { violations: found } = await axe.run(document, { runOnly: { type: 'tag', values } });
      return found;
    }, RULES);
    for (const { id, help, nodes } of violations) {
      faults.push(
        `${name} (${colorScheme}): ${id}: ${help}: ${nodes.map(({ target, failureSummary }) => `${String(target)} ${failureSummary ?? ''}`).join(' | ')}`,
      );
    }
    const sideways = await within.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    );
    if (sideways > 0) faults.push(`${name} (${colorScheme}): ${sideways} pixels stand out to the right`);
    await takeScreenshot(page, `${name}.${colorScheme}`, inScheme === undefined);
  }
  return faults;
}

/** Resolves once what has just changed is drawn: colors of the other scheme come with the next frame, or glide over. */
async function settled(): Promise<void> {
  for (let frame = 0; frame < 2; frame++) await new Promise((resolve) => requestAnimationFrame(resolve));
  const ending = document.getAnimations().filter(({ effect }) => effect?.getComputedTiming().endTime !== Infinity);
  await Promise.allSettled(ending.map(({ finished }) => finished));
}

/** `whole`: also what is not in view; for that the browser is resized, and forgets settings again. */
export async function takeScreenshot(page: Page, name: string, whole = true): Promise<void> {
  mkdirSync(SCREENSHOTS, { recursive: true });
  await page.screenshot({ path: join(SCREENSHOTS, `${name}.png`), fullPage: whole });
}
