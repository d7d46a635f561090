import { existsSync } from 'node:fs';

/** The first is the same engine without a browser's windows, which needs a fifth less processor time. */
const PATHS = [
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];

export const NO_BROWSER =
  'Chromium is not installed: apt-get update && apt-get install -y chromium-headless-shell dovecot-imapd, or set CHROMIUM to its path.';

/** Path of the installed Chromium; nothing is downloaded. Null if there is none. */
export function findBrowser(): string | null {
  const { CHROMIUM } = process.env;
  return (CHROMIUM ? [CHROMIUM] : PATHS).find((path) => existsSync(path)) ?? null;
}
