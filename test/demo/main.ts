import { resolve } from 'node:path';
import { documentRows, waitForDocuments } from './incoming-documents';
import { connect, consoleLink, fetchTwice, uiLink } from './connections';
import { Display, paint } from './display';
import { DemoProcesses } from './demo-processes';
import { type DemoSetup, setUpDemo, shortened } from './demo-setup';

const ROOT = resolve(__dirname, '../../..');
const DATA_DIR = resolve(process.env.DATA_DIR ?? '.docfetch');
/** Ends when everything has arrived, for non-interactive runs. */
const EXIT = process.env.DEMO_EXIT === '1';
/** The exit status of a shell for SIGINT. */
const INTERRUPTED = 130;

/** `npm run demo`: the service from end to end, with its own client and mailbox. Returns the exit status. */
async function main(display: Display, parts: DemoProcesses, interrupted: Promise<void>): Promise<number> {
  display.title('Docfetch: documents from a portal and a mailbox to the backend of a client');
  display.line();
  const shown = show(display, parts);
  const demo = await Promise.race([shown, interrupted]);
  if (!demo) {
    display.mute();
    shown.catch(() => undefined);
    await parts.stop().catch(() => undefined);
    process.stdout.write('\nInterrupted. Everything is stopped.\n');
    return INTERRUPTED;
  }
  if (!EXIT) {
    await showNextSteps(display, demo);
    const failure = await Promise.race([interrupted, demo.service.ended()]);
    if (failure) throw failure;
    display.line();
  }
  await display.step('Stopping', async () => {
    await parts.stop();
    return `Stopped. The data stay in ${shortened(DATA_DIR)}; the next demo makes a new environment beside this one.`;
  });
  return 0;
}

async function show(display: Display, parts: DemoProcesses): Promise<DemoSetup> {
  const demo = await setUpDemo(display, parts, { root: ROOT, dataDir: DATA_DIR });
  const connections = await connect(display, demo);
  await fetchTwice(display, demo, connections);
  await waitForDocuments(display, demo);
  display.line();
  const width = process.stdout.isTTY ? process.stdout.columns : Infinity;
  for (const line of documentRows(demo.client.received, connections, width)) display.line(line);
  display.line();
  return demo;
}

/** Prints the next steps. */
async function showNextSteps(display: Display, demo: DemoSetup): Promise<void> {
  const { service, client, mailbox, apiKey } = demo;
  const { host, port, user, password } = mailbox.credentials;

  const lines = [
    ['API documentation', `${service.base}/docs`],
    ['Health', `${service.base}/health/ready`],
    ['API key', apiKey],
    ['Mailbox', `${user}, password ${password}, at ${host}:${port} without encryption`],
    ['Documents', `${shortened(client.folder)}, each with its metadata`],
    ['Log', shortened(service.log)],
  ];
  for (const [name = '', value] of lines) display.line(`${name.padEnd(19)}${value}`);
  display.line();
  display.line('Ask for the documents yourself:');
  display.line(`  curl -H 'X-API-KEY: ${apiKey}' '${service.base}/v1/transactions?limit=3'`);
  display.line();
  display.line('See what an end user sees, and connect the mailbox or a portal (the link is valid for 30 minutes):');
  display.line(`  ${await uiLink(demo)}`);
  display.line();
  display.line('See what developers and the support team see (docfetch console link; the link works once):');
  display.line(`  ${await consoleLink(demo)}`);
  display.line();
  display.line('Read next: docs/guides/your-mailbox-to-your-endpoint.md, or all guides in the browser:');
  display.line(`  ${service.base}/guides/`);
  display.line();
  display.line(paint('dim', 'Ctrl-C stops everything.'));
}

function interruption(parts: DemoProcesses): Promise<void> {
  return new Promise((resolve) => {
    let signals = 0;
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
      process.on(signal, () => {
        // npm forwards Ctrl-C, so that it may arrive twice at once; the third one forces the exit.
        if (++signals < 3) return resolve();
        parts.kill();
        process.exit(INTERRUPTED);
      });
    }
    // The reader of the output has ended, as with `npm run demo | head`.
    process.stdout.on('error', () => resolve());
  });
}

const display = new Display();
const parts = new DemoProcesses();
// The demo always removes its files.
process.on('exit', () => parts.kill());
void main(display, parts, interruption(parts))
  .catch(async (error: unknown) => {
    display.failure((await parts.error()) ?? error);
    await parts.stop().catch(() => undefined);
    return 1;
  })
  .then((status) => process.exit(status));
