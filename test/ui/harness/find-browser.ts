import { existsSync } from 'node:fs';

/** The same engine without a browser's windows, which needs a fifth less processor time, but blocks no popups. */
const HEADLESS_SHELL = '/usr/bin/chromium-headless-shell';
const BROWSERS = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];

export const NO_BROWSER =
  'Chromium is not installed: apt-get update && apt-get install -y chromium dovecot-imapd, or set CHROMIUM to its path.';

/**
 * Path of the installed Chromium; nothing is downloaded. Null if there is none.
 * @param options `blocksPopups`: it has to be able to
 */
export function findBrowser({ blocksPopups = false } = {}): string | null {
  const { CHROMIUM } = process.env;
  const paths = CHROMIUM ? [CHROMIUM] : blocksPopups ? BROWSERS : [HEADLESS_SHELL, ...BROWSERS];
  return paths.find((path) => existsSync(path)) ?? null;
}
