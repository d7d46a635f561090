import { resolve } from 'node:path';
import { shortened } from '../demo/demo-setup';
import { DemoProcesses } from '../demo/demo-processes';
import { DemoFailure, Display } from '../demo/display';
import { freePort } from '../demo/free-port';
import { Service } from '../demo/service';
import { Receiver } from './receiver';
import { SeedApi } from './seed-api';
import { seedConnections } from './seed-connections';
import { seedDeliveries } from './seed-deliveries';

const ROOT = resolve(__dirname, '../../..');
const DATA_DIR = resolve(process.env.DATA_DIR ?? '.docfetch');
const CLIENT = 'Muster Software';
/** The exit status of a shell for SIGINT. */
const INTERRUPTED = 130;
/** Scheduled fetches, and pushes to the receiver, which no longer runs, would change the data. */
const MINUTES_OF_A_YEAR = String(365 * 24 * 60);

interface CreatedEnvironment {
  readonly environment_uuid: string;
  readonly api_key: string;
}

/**
 * The developer's own settings, so that `npm start` can read the data afterwards, with a push schedule in which a document has
 * failed after a second instead of 72 hours, and without settings that would prevent pushes to the receiver.
 */
function settings(): NodeJS.ProcessEnv {
  const { ROLE: _, NETWORK_ALLOW: __, METRICS_PORT: ___, ...own } = process.env;
  return { ...own, PUSH_RETRY_SCHEDULE: '0s,1s', LOG_LEVEL: 'warn' };
}

/** `npm run seed`: adds an environment with data in every state to the development database. */
async function seed(display: Display, parts: DemoProcesses): Promise<void> {
  if (process.env.NODE_ENV === 'production') {
    throw new DemoFailure('The seed is for development databases: it does not run with NODE_ENV=production.');
  }
  const port = await freePort(Number(process.env.PORT) || 3000);
  const service = parts.add(
    new Service({ root: ROOT, dataDir: DATA_DIR, port, logName: 'seed.log', settings: settings() }),
  );
  await display.step('Starting Docfetch', async () => {
    await service.ready();
    return `Docfetch runs at ${service.base} for as long as the seed takes (log: ${shortened(service.log)})`;
  });
  const receiver = parts.add(await Receiver.listen());

  const name = `Seed ${new Date().toISOString().slice(0, 19).replace('T', ' ')}`;
  const { environment_uuid: environment, api_key: key } = await service.command<CreatedEnvironment>([
    ...['environment', 'create', '--client', CLIENT, '--name', name, '--kind', 'test'],
    ...['--return-origin', service.base, '--fetch-interval', MINUTES_OF_A_YEAR],
  ]);
  display.tick(`Environment "${name}" of the client "${CLIENT}"`);
  const api = new SeedApi(service.base, key);
  const { identity, working } = await seedConnections(display, api);
  await seedDeliveries(display, api, {
    connection: working,
    receiver,
    pushTo: (url) => {
      const address = ['--strategy', 'push', '--url', url, '--auth', 'none'];
      return service.command(['provisioning', 'set', '--environment', environment, ...address]);
    },
  });
  const { ui_url: uiUrl } = await api.uiToken(identity);

  display.line();
  display.line(`Environment   ${environment}`);
  display.line(`API key       ${key}  (not shown again)`);
  display.line(`Hosted UI     ${uiUrl}  (for 30 minutes)`);
  display.line();
  display.line('Every run adds another environment. Start the service with npm start or npm run start:dev.');
}

const display = new Display();
const parts = new DemoProcesses();
process.on('exit', () => parts.kill());
// The reader of the output has ended, as with `npm run seed | head`.
process.stdout.on('error', () => display.mute());
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.once(signal, () => {
    display.mute();
    void parts.stop().finally(() => process.exit(INTERRUPTED));
  });
}

void seed(display, parts)
  .then(() => 0)
  .catch(async (error: unknown) => {
    display.failure((await parts.error()) ?? error);
    return 1;
  })
  .then(async (status) => {
    await parts.stop().catch(() => undefined);
    process.exit(status);
  });
