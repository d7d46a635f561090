import { existsSync } from 'node:fs';

const PLACES = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];

export const NO_BROWSER =
  'There is no Chromium here: apt-get update && apt-get install -y chromium dovecot-imapd, or set CHROMIUM to the path of one.';

/** The machine's own Chromium: nothing is downloaded. Null when there is none. */
export function findBrowser(): string | null {
  const { CHROMIUM } = process.env;
  return (CHROMIUM ? [CHROMIUM] : PLACES).find((path) => existsSync(path)) ?? null;
}
