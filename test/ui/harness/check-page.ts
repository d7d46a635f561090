import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Frame, Page } from 'playwright-core';

/** Screenshots for manual review after a run; git-ignored. Those of another width (`UI_WIDTH`) have a folder of their own. */
const SCREENSHOTS = join(__dirname, '../../../dist/ui-screenshots', process.env.UI_WIDTH ?? '');
const AXE = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');
/** All rules in the light scheme, and in the dark one those whose result depends on colors. */
const RULES = {
  light: { type: 'tag', values: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'] },
  dark: { type: 'rule', values: ['color-contrast', 'link-in-text-block'] },
};

interface Violation {
  readonly id: string;
  readonly help: string;
  readonly nodes: readonly { readonly target: unknown; readonly failureSummary?: string }[];
}

declare const axe: { run(context: object, options: object): Promise<{ violations: Violation[] }> };

/**
 * Checks the current page against WCAG 2.2 AA in both color schemes and takes a screenshot of each. Returns one line per problem.
 * `prepare` runs in each scheme, because the browser resets some settings when the scheme changes. `frame`: the frame of the hosted
 * UI in an embedding page.
 */
export async function checkPage(
  page: Page,
  name: string,
  prepare?: () => Promise<unknown>,
  frame: Frame = page.mainFrame(),
): Promise<string[]> {
  const problems: string[] = [];
  for (const colorScheme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await prepare?.();
    await frame.evaluate(waitForAnimations);
    problems.push(...(await findViolations(frame, `${name} (${colorScheme})`, RULES[colorScheme])));
    const overflow = await frame.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    );
    if (overflow > 0) problems.push(`${name} (${colorScheme}): ${overflow} pixels of horizontal overflow`);
    await takeScreenshot(page, `${name}.${colorScheme}`, prepare === undefined);
  }
  return problems;
}

/** What axe finds, with one line for each rule. `exclude`: selectors of elements that are left out. */
export async function findViolations(
  frame: Frame,
  name: string,
  rules: object = RULES.light,
  exclude: readonly string[] = [],
): Promise<string[]> {
  if (!(await frame.evaluate(() => 'axe' in window))) await frame.evaluate(AXE);
  const violations = await frame.evaluate(
    async ([runOnly, excluded]) => {
      const { violations: all } = await axe.run(
        { include: [['html']], exclude: excluded.map((one) => [one]) },
        // Describes nothing else, which saves a quarter of the processor time, and loads no style sheets, which only a rule about
        // audio and an experimental one need.
        { runOnly, resultTypes: ['violations'], preload: false },
      );
      return all;
    },
    [rules, exclude] as const,
  );
  return violations.map(
    ({ id, help, nodes }) =>
      `${name}: ${id}: ${help}: ${nodes.map(({ target, failureSummary }) => `${String(target)} ${failureSummary ?? ''}`).join(' | ')}`,
  );
}

/** Resolves after the next frames and all running transitions, for example after a change of the color scheme. */
async function waitForAnimations(): Promise<void> {
  for (let frame = 0; frame < 2; frame++) await new Promise((resolve) => requestAnimationFrame(resolve));
  const ending = document.getAnimations().filter(({ effect }) => effect?.getComputedTiming().endTime !== Infinity);
  await Promise.allSettled(ending.map(({ finished }) => finished));
}

/** None in CI, where nobody looks at them. `fullPage` resizes the browser, which resets some settings. */
export async function takeScreenshot(page: Page, name: string, fullPage = true): Promise<void> {
  if (process.env.CI) return;
  mkdirSync(SCREENSHOTS, { recursive: true });
  await page.screenshot({ path: join(SCREENSHOTS, `${name}.png`), fullPage: fullPage });
}
