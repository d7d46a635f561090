import { gzipSync } from 'node:zlib';
import type { Browser, Page, Response } from 'playwright-core';

/** The cost of showing a view. */
export interface FirstView {
  readonly scripts: number;
  /** Bytes of all scripts, each compressed with gzip. */
  readonly gzipBytes: number;
  /** Bytes of all scripts, as transferred. */
  readonly sentBytes: number;
  readonly interactiveMs: number;
  /** Until the data that the view then loads has arrived, too. */
  readonly wholeMs: number;
}

/** Runs first in the page: records when the heading is shown and the main thread is idle, and when no request is pending. */
const WATCH = `
  const whole = () =>
    document.querySelector('[aria-busy="true"]') ? setTimeout(whole, 5) : window.noteWhole(performance.now());
  const watch = new MutationObserver(() => {
    if (!document.querySelector('h1')) return;
    watch.disconnect();
    requestIdleCallback(() => {
      window.noteInteractive(performance.now());
      whole();
    });
  });
  watch.observe(document, { childList: true, subtree: true });
`;

/** Opens a URL in a browser without a cache. Rejects when its heading does not appear. */
export async function firstView(browser: Browser, address: string, throttle: number): Promise<FirstView> {
  const context = await browser.newContext({ viewport: { width: 820, height: 900 }, locale: 'de-DE' });
  try {
    const page = await context.newPage();
    const scripts: Response[] = [];
    page.on('response', (response) => {
      if (response.request().resourceType() === 'script') scripts.push(response);
    });
    const devtools = await context.newCDPSession(page);
    await devtools.send('Emulation.setCPUThrottlingRate', { rate: throttle });
    const interactive = Promise.withResolvers<number>();
    const whole = Promise.withResolvers<number>();
    await page.exposeFunction('noteInteractive', interactive.resolve);
    await page.exposeFunction('noteWhole', whole.resolve);
    await page.addInitScript(WATCH);
    await page.goto(address);
    const interactiveMs = await Promise.race([interactive.promise, tooLate(page)]);
    const wholeMs = await Promise.race([whole.promise, tooLate(page)]);
    await page.waitForLoadState('networkidle');
    const sizes = await Promise.all(
      scripts.map(async (response) => {
        const { responseBodySize, responseHeadersSize } = await response.request().sizes();
        const gzip = gzipSync(await response.body(), { level: 9 }).length;
        return { gzip, sent: responseBodySize + responseHeadersSize };
      }),
    );
    return {
      scripts: sizes.length,
      gzipBytes: sizes.reduce((sum, { gzip }) => sum + gzip, 0),
      sentBytes: sizes.reduce((sum, { sent }) => sum + sent, 0),
      interactiveMs,
      wholeMs,
    };
  } finally {
    await context.close();
  }
}

const PATIENCE_MS = 30_000;

async function tooLate(page: Page): Promise<never> {
  await page.waitForTimeout(PATIENCE_MS);
  throw new Error(`The first view did not come within ${PATIENCE_MS} ms.`);
}
