import { type Browser, chromium } from 'playwright-core';
import { findBrowser, NO_BROWSER } from './find-browser';

const ARGUMENTS = [
  '--no-sandbox',
  '--disable-dev-shm-usage',
  '--disable-gpu', // Debian's Chromium would emulate one, for a tenth of the processor time
  '--lang=en-GB',
  '--test-third-party-cookie-phaseout', // blocks cookies in frames of other sites
];

/**
 * Starts Chromium. Throws if it is not installed; the message says how to install it.
 * @param options `blocksPopups`: as for users, only a click opens a popup
 */
export async function openBrowser({ blocksPopups = false } = {}): Promise<Browser> {
  const executablePath = findBrowser({ blocksPopups });
  if (!executablePath) throw new Error(NO_BROWSER);
  const ignoreDefaultArgs = blocksPopups ? ['--disable-popup-blocking'] : undefined;
  return chromium.launch({ executablePath, args: ARGUMENTS, ignoreDefaultArgs });
}
