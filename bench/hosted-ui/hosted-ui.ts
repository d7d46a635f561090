import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { openBrowser } from '../../test/ui/harness/browser';
import { median, table } from '../harness/report';
import { Service } from '../harness/processes/service';
import { BaselinePage } from './baseline';
import { type FirstView, firstView } from './first-view';

/** Set `HOSTED_UI_ROUNDS=3` for a short run. */
const ROUNDS = Number(process.env.HOSTED_UI_ROUNDS ?? 11);
/** The factor by which the CPU is throttled. */
const THROTTLE = 4;
const RETURN_ORIGIN = 'http://localhost:8080';

/** The first load of the hosted UI in a browser without a cache, until it is usable. */
export async function hostedUi(folder: string): Promise<string> {
  // First, because it fails with a message when there is no browser.
  const browser = await openBrowser();
  try {
    await using service = await Service.start(join(folder, 'service'), {
      RATE_LIMIT_PER_KEY: '1000000000',
      RATE_LIMIT_PER_TOKEN: '1000000000',
    });
    await using baseline = await BaselinePage.start();
    const { address, connection } = await openedFor(service);
    const rounds = [];
    for (let round = 0; round <= ROUNDS; round++) {
      rounds.push({
        empty: await measured(browser, baseline.address),
        first: await measured(browser, await address('empty', {})),
        full: await measured(browser, await address('full', {})),
        form: await measured(browser, await address('empty', { integration_id: 'sandbox' })),
        edit: await measured(browser, await address('full', { connection_uuid: connection })),
      });
    }
    // The first round warms up the machine's caches and the service.
    return report(rounds.slice(1));
  } finally {
    await browser.close();
  }
}

const measured = (browser: Browser, address: string) => firstView(browser, address, THROTTLE);

interface Round {
  readonly empty: FirstView;
  readonly first: FirstView;
  readonly full: FirstView;
  readonly form: FirstView;
  readonly edit: FirstView;
}

/** Returns URLs of the hosted UI: for a user without connections and for one with twenty. */
async function openedFor(service: Service) {
  const { api_key: key } = await service.command<{ api_key: string }>(
    ...['environment', 'create', '--client', 'Bench', '--name', 'Bench', '--kind', 'test'],
    ...['--return-origin', RETURN_ORIGIN],
  );
  const identity = async (client_identifier: string) =>
    (await service.call<{ identity_uuid: string }>(key, 'POST', '/v1/identities', { client_identifier })).identity_uuid;
  const users = { empty: await identity('empty'), full: await identity('full') };
  let connection = '';
  for (let number = 0; number < 20; number++) {
    const fields = { user: `user-${number}`, password: 'right', documents: 1 };
    const body = { integration_id: 'sandbox', name: `Portal ${number}`, identity_uuid: users.full, fields };
    ({ uuid: connection } = await service.call<{ uuid: string }>(key, 'POST', '/v1/connections', body));
  }
  const address = async (user: keyof typeof users, more: object) => {
    const body = { identity_uuid: users[user], return_url: `${RETURN_ORIGIN}/back`, lang: 'de', ...more };
    // At another name of this machine, the content security policy would block the logos of integrations.
    return (await service.call<{ ui_url: string }>(key, 'POST', '/token', body)).ui_url;
  };
  return { address, connection };
}

function report(rounds: readonly Round[]): string {
  const baseline = median(rounds.map(({ empty }) => empty.interactiveMs));
  const row = (name: string, of: keyof Round) => {
    const views = rounds.map((round) => round[of]);
    const times = views.map(({ interactiveMs }) => interactiveMs);
    const { scripts, gzipBytes, sentBytes } = views[0]!;
    return [
      name,
      String(scripts),
      (gzipBytes / 1000).toFixed(1),
      (sentBytes / 1000).toFixed(1),
      median(times).toFixed(0),
      Math.max(...times).toFixed(0),
      median(views.map(({ wholeMs }) => wholeMs)).toFixed(0),
      (median(times) / baseline).toFixed(1),
    ];
  };
  return [
    table(
      ['first view', 'scripts', 'gzip kB', 'sent kB', 'median ms', 'worst ms', 'whole ms', '× baseline'],
      [
        row('baseline: a heading', 'empty'),
        row('nothing connected yet', 'first'),
        row('20 sources', 'full'),
        row('a form (preselected)', 'form'),
        row('access data (preselected)', 'edit'),
      ],
    ),
    NOTES,
  ].join('\n\n');
}

const NOTES = [
  `Chromium on loopback with an empty cache, its processor slowed down ${THROTTLE} times (DevTools protocol), ${ROUNDS} rounds in turn. \`scripts\` are all`,
  'JavaScript files that the view loads, also what comes when it can be used already; `gzip kB` is what they have when each is compressed with gzip (goal: 150), `sent kB` what the service has',
  'really sent, headers included. Milliseconds from the opening of the address until the heading of the view is there and the main thread has had an idle moment',
  '(goal: a second): the session, the integrations and the sources have been asked for and answered by then. `whole ms`: until the inputs that few forms have,',
  'such as dates, have come to the places that were kept for them. The baseline is a page of one line of script',
  'from a bare server, in the same browser. Service, database and browser share the machine, so that whatever else runs on it counts twice.',
].join('\n');
