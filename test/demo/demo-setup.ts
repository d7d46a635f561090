import { randomBytes } from 'node:crypto';
import { join, relative } from 'node:path';
import { Api } from './api';
import { DemoFailure, type Display } from './display';
import { freePort } from './free-port';
import { Mailbox } from './mailbox';
import type { DemoProcesses } from './demo-processes';
import { SampleClient } from './sample-client';
import { Service } from './service';

/** The output of `docfetch environment create --json`. */
interface CreatedEnvironment {
  readonly environment_uuid: string;
  readonly api_key: string;
  readonly signing_secret: string;
}

/** The credentials and servers of a client before its first connection. */
export interface DemoSetup {
  readonly service: Service;
  readonly client: SampleClient;
  readonly mailbox: Mailbox;
  readonly environmentUuid: string;
  readonly apiKey: string;
  /** The API with the key of the environment. */
  readonly api: Api;
}

const RETURN_ORIGIN = 'https://app.example.com';
/** The URL to which a UI would return the user. */
export const RETURN_URL = `${RETURN_ORIGIN}/documents`;
/** The demo's mailbox exists only during the demo, so the interval prevents daily fetches. */
const MINUTES_OF_A_YEAR = String(365 * 24 * 60);

/** Starts the service, the client's backend and the mailbox. Each is added immediately to `parts`, which stops them. */
export async function setUpDemo(
  display: Display,
  parts: DemoProcesses,
  place: { root: string; dataDir: string },
): Promise<DemoSetup> {
  const wanted = Number(process.env.PORT) || 3000;
  const port = await freePort(wanted);
  if (port !== wanted) display.line(`Port ${wanted} is taken: using ${port}.`);
  const service = parts.add(new Service({ ...place, port }));
  const started = performance.now();
  await display.step('Starting Docfetch on its embedded database', async () => {
    await service.ready();
    return `Docfetch runs at ${service.base} on its embedded database (${seconds(started)} s; log: ${shortened(service.log)})`;
  });

  const environment = await makeEnvironment(display, service);
  const folder = join(place.dataDir, 'demo', environment.environment_uuid);
  const client = parts.add(new SampleClient(place.root, folder, environment.signing_secret));
  await display.step('Starting the backend of a client', async () => {
    return `The backend of a client listens on ${await client.url()} (docs/examples/push-receiver.mjs)`;
  });
  await display.step('Registering its address', async () => {
    const address = ['--strategy', 'push', '--url', await client.url(), '--auth', 'bearer', '--secret-stdin'];
    const args = ['provisioning', 'set', '--environment', environment.environment_uuid, ...address];
    await service.command(args, client.token);
    return 'Documents will be pushed there, with a bearer token and a signature';
  });
  await display.step('Trying to deceive it', async () => {
    const statuses = await client.sendForgedPushes();
    if (statuses.some((status) => status !== 401))
      throw new DemoFailure(`A forged push was answered ${statuses.join(', ')}.`);
    return 'It refuses a document with a wrong signature, and one with an old signature (401)';
  });
  const mailbox = parts.add(await Mailbox.open());
  display.tick(
    `A mailbox holds ${mailbox.size} mails with ${mailbox.expected.length} documents, and a logo, which is not a document (an IMAP server in this process)`,
  );
  const { api_key: apiKey, environment_uuid: environmentUuid } = environment;
  return { service, client, mailbox, environmentUuid, apiKey, api: new Api(service.base, { 'X-API-KEY': apiKey }) };
}

async function makeEnvironment(display: Display, service: Service): Promise<CreatedEnvironment> {
  const name = `Demo ${randomBytes(2).toString('hex')}`;
  let made: CreatedEnvironment | undefined;
  await display.step('Making an environment with an API key', async () => {
    const options = [
      '--return-origin',
      RETURN_ORIGIN,
      '--return-origin',
      service.base,
      '--fetch-interval',
      MINUTES_OF_A_YEAR,
    ];
    made = await service.command<CreatedEnvironment>([
      ...['environment', 'create', '--client', 'Muster Software', '--name', name, '--kind', 'test'],
      ...options,
    ]);
    return `Environment "${name}" with an API key (docfetch environment create)`;
  });
  return made!;
}

/** Formatted for a terminal. */
export function shortened(path: string): string {
  const short = relative(process.cwd(), path);
  return short.startsWith('..') ? path : short;
}

function seconds(since: number): string {
  return ((performance.now() - since) / 1000).toFixed(1);
}
