import { type Browser, chromium } from 'playwright-core';
import { findBrowser, NO_BROWSER } from './find-browser';

/** Throws with what to install when there is no browser. */
export async function openBrowser(): Promise<Browser> {
  const executablePath = findBrowser();
  if (!executablePath) throw new Error(NO_BROWSER);
  return chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-dev-shm-usage', '--lang=en-GB'] });
}
