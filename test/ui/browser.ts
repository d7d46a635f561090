import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';

const PLACES = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];
const MISSING =
  'There is no Chromium, which the suite test:ui and the benchmark hosted-ui need: apt-get update && apt-get install -y chromium (or set CHROMIUM to one)';

/** The machine's own Chromium: nothing is downloaded. Throws with what to install when there is none. */
export async function openBrowser(): Promise<Browser> {
  const executablePath = process.env.CHROMIUM ?? PLACES.find((path) => existsSync(path));
  if (!executablePath) throw new Error(MISSING);
  return chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-dev-shm-usage', '--lang=en-GB'] });
}
