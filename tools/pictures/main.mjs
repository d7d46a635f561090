#!/usr/bin/env node
/**
 * `npm run pictures`: takes the pictures of the README from a running demo, and writes them to docs/pictures: the hosted UI,
 * and the terminal with the demo's output. Requires Chromium; CHROMIUM is its path if it is not in a usual place.
 */
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import process from 'node:process';
import { createInterface } from 'node:readline';
import { chromium } from 'playwright-core';
import { terminalPage } from './terminal-page.mjs';

const ROOT = resolve(import.meta.dirname, '../..');
/** The greatest height of a picture, in CSS pixels. */
const MAX_HEIGHT = 1180;
const PICTURES = join(ROOT, 'docs', 'pictures');
const CHROMIUM = process.env.CHROMIUM ?? '/usr/bin/chromium';
/** Starts of lines of the demo: what follows the first one contains a key, and after the second one it only waits. */
const END_OF_PICTURE = 'API documentation';
const END_OF_OUTPUT = 'Ctrl-C';

/** The sources that appear only with an OAuth client. */
const OAUTH_SOURCES = ['BOX', 'DROPBOX', 'GMAIL', 'GOOGLE_DRIVE', 'MICROSOFT_DRIVE', 'OUTLOOK'];
const oauthClients = OAUTH_SOURCES.flatMap((source) =>
  ['ID', 'SECRET'].map((part) => [`OAUTH_${source}_CLIENT_${part}`, 'picture']),
);

const dataDir = mkdtempSync(join(tmpdir(), 'docfetch-pictures-'));
const demo = spawn(process.execPath, [join(ROOT, 'dist/test/demo/main.js')], {
  cwd: ROOT,
  env: { ...process.env, ...Object.fromEntries(oauthClients), DATA_DIR: dataDir, FORCE_COLOR: '1', DEMO_EXIT: '' },
  stdio: ['ignore', 'pipe', 'inherit'],
});
try {
  const { shown, uiUrl } = await outputOf(demo);
  mkdirSync(PICTURES, { recursive: true });
  const browser = await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox', '--lang=en-GB'] });
  try {
    await photograph(browser, 'hosted-ui.png', { width: 900, height: 1180 }, async (page) => {
      await page.goto(uiUrl, { waitUntil: 'networkidle' });
      await page.getByRole('link', { name: 'Connect a source' }).click();
      await page.waitForFunction('[...document.images].every((image) => image.complete && image.naturalWidth > 0)');
    });
    await photograph(browser, 'terminal.png', { width: 1040, height: 100 }, async (page) => {
      await page.setContent(terminalPage('npm ci && npm run demo', shown));
    });
  } finally {
    await browser.close();
  }
} finally {
  demo.kill('SIGINT');
  await new Promise((ended) => (demo.exitCode === null ? demo.once('exit', ended) : ended()));
  rmSync(dataDir, { recursive: true, force: true });
}

/** The demo's lines up to the key, and the link to its hosted UI. Rejects when the demo ends before it has printed both. */
async function outputOf(child) {
  const shown = [];
  let uiUrl;
  let isShown = true;
  for await (const line of createInterface({ input: child.stdout })) {
    isShown &&= !line.startsWith(END_OF_PICTURE);
    if (isShown) shown.push(line.replace(dataDir, '.docfetch'));
    uiUrl ??= /http\S+\/ui\?token=\S+/.exec(line)?.[0];
    if (line.includes(END_OF_OUTPUT) && uiUrl) return { shown, uiUrl };
  }
  throw new Error('The demo has ended without a link to the hosted UI.');
}

async function photograph(browser, name, viewport, open) {
  // The page's policy forbids the evaluation of the conditions below.
  const context = await browser.newContext({
    viewport,
    deviceScaleFactor: 1.5,
    colorScheme: 'light',
    locale: 'en-GB',
    bypassCSP: true,
  });
  const page = await context.newPage();
  await open(page);
  // What is below the limit would make the picture small in the README.
  const height = Math.min(MAX_HEIGHT, await page.evaluate('document.documentElement.scrollHeight'));
  await page.screenshot({
    path: join(PICTURES, name),
    fullPage: true,
    clip: { x: 0, y: 0, width: viewport.width, height },
  });
  await context.close();
  process.stdout.write(`docs/pictures/${name}\n`);
}
