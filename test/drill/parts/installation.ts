import { randomBytes } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join, relative } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Service, settingsOfFreshCheckout } from '../../demo/service';
import { Client } from './client';
import { secondsSince } from './cluster';
import { summarize } from './log-summary';
import { Monitor, type Target } from './monitor';
import { CountingReceiver } from './receiver';
import type { Report } from './report';

/** The longest time until everything is delivered. */
const DELIVERY_MS = 15 * 60_000;

export const newKey = (id: string): string => `${id}:${randomBytes(32).toString('base64')}`;

interface Created {
  readonly environment_uuid: string;
  readonly api_key: string;
  readonly signing_secret: string;
}
interface Page {
  readonly data: readonly { readonly transaction_uuid: string; readonly provisioning: { readonly status: string } }[];
  readonly meta: { readonly next_cursor: string | null; readonly has_more: boolean };
}

/** One API process and two workers (or one process for everything), the endpoint of a client, its client and a Prometheus. */
export class Installation {
  readonly services = new Map<string, Service>();
  readonly settings: NodeJS.ProcessEnv;
  receiver!: CountingReceiver;
  client!: Client;
  monitor: Monitor | undefined;
  private environment!: Created;

  constructor(
    readonly root: string,
    readonly folder: string,
    readonly report: Report,
    private readonly firstPort: number,
    own: NodeJS.ProcessEnv,
  ) {
    this.settings = {
      ...settingsOfFreshCheckout(),
      NETWORK_ALLOW: '127.0.0.0/8',
      RATE_LIMIT_PER_KEY: '1000000',
      LOG_LEVEL: 'info',
      ...own,
    };
  }

  static production(root: string, folder: string, report: Report, firstPort: number, url: string): Installation {
    const keys = { ENCRYPTION_KEYS: newKey('k1'), TOKEN_KEYS: newKey('t1') };
    const base = `http://127.0.0.1:${firstPort}`;
    const own = { NODE_ENV: 'production', DATABASE_URL: url, PUBLIC_URL: base, ...keys };
    return new Installation(root, folder, report, firstPort, own);
  }

  get base(): string {
    return `http://127.0.0.1:${this.firstPort}`;
  }

  async startProcesses(names: readonly string[] = ['api', 'worker-1', 'worker-2']): Promise<void> {
    for (const name of names) this.services.set(name, this.process(name));
    await Promise.all(names.map((name) => this.services.get(name)!.ready()));
  }

  async stopProcesses(): Promise<void> {
    await Promise.all([...this.services.values()].map((service) => service.stop()));
  }

  /** Creates the environment and registers the endpoint; the client and the monitoring then begin. */
  async begin(everyMs: number): Promise<void> {
    const names = ['--client', 'Drill', '--name', 'Drill', '--kind', 'test', '--return-origin', this.base];
    this.environment = await this.command<Created>(['environment', 'create', ...names]);
    this.receiver = await CountingReceiver.start(this.root, this.folder, this.firstPort + 8);
    await this.receiver.listen(this.environment.signing_secret);
    const endpoint = ['--strategy', 'push', '--url', `http://127.0.0.1:${this.firstPort + 8}/`, '--auth', 'none'];
    await this.command(['provisioning', 'set', '--environment', this.environment.environment_uuid, ...endpoint]);
    this.client = new Client(this.base, this.environment.api_key, this.report.event);
    const folder = join(this.folder, 'prometheus');
    this.monitor = await Monitor.start(this.root, folder, this.firstPort + 9, this.targets(), this.report.event);
    await this.client.begin(everyMs);
  }

  command<T>(args: readonly string[]): Promise<T> {
    return [...this.services.values()][0]!.command<T>(args);
  }

  /** Waits until the documents of all accepted connections have been received, and their transactions say so. */
  private async waitForDeliveries(): Promise<void> {
    const started = performance.now();
    const { client, receiver, report } = this;
    const isLate = () => performance.now() - started > DELIVERY_MS;
    while (receiver.documents.size < client.expected && !isLate()) await pause(100);
    report.fact(`all documents have been received ${secondsSince(started)} s after the last accepted connection`);
    const pending = async () => (await client.get<Page>('/v1/transactions?limit=1&status=PENDING')).data.length > 0;
    while ((await pending()) && !isLate()) await pause(500);
    report.fact(`all transactions are DELIVERED after ${secondsSince(started)} s`);
  }

  /** Ends the client, waits for the deliveries, and compares what was accepted, recorded and received. */
  async settle(): Promise<void> {
    const { client, receiver, report } = this;
    await client.end();
    await this.waitForDeliveries();
    const recorded = await this.transactions();
    const missing = recorded.filter(({ transaction_uuid: uuid }) => !receiver.accepted.has(uuid)).length;
    const notDelivered = recorded.filter(({ provisioning }) => provisioning.status !== 'DELIVERED').length;
    report.fact(
      `answers to the client: ${[...client.answers].map(([answer, times]) => `${times} × ${answer}`).join(', ')}`,
    );
    report.fact(
      `${receiver.documents.size} of ${client.expected} documents received, in ${recorded.length} transactions, ` +
        `${receiver.doubled} documents in more than one, ${receiver.repeated} pushes repeated, ${notDelivered} not DELIVERED`,
    );
    report.check('no document is lost', receiver.documents.size === client.expected && missing === 0);
    report.check('no document has two transactions', receiver.doubled === 0);
  }

  logs(since: Date): void {
    for (const [name, { log }] of this.services) {
      for (const line of summarize(log, since)) this.report.fact(`log of ${name}: ${line}`);
    }
  }

  async end(): Promise<void> {
    await this.client?.end();
    await this.monitor?.stop();
    await this.stopProcesses();
    await this.receiver?.stop();
  }

  /** All transactions of the feed. */
  private async transactions(): Promise<Page['data'][number][]> {
    const all: Page['data'][number][] = [];
    for (let after = ''; ;) {
      const { data, meta } = await this.client.get<Page>(`/v1/transactions?limit=100${after && `&cursor=${after}`}`);
      all.push(...data);
      if (!meta.has_more || !meta.next_cursor) return all;
      after = meta.next_cursor;
    }
  }

  private process(name: string): Service {
    const role = name === 'all' ? 'all' : name.startsWith('api') ? 'api' : 'worker';
    const { port, metrics } = this.portsOf(name);
    const settings = { ...this.settings, ROLE: role, METRICS_PORT: String(metrics) };
    const dataDir = this.settings.DATA_DIR ?? join(this.folder, name);
    mkdirSync(dataDir, { recursive: true });
    const logName = join(relative(dataDir, this.folder), `${name}.log`);
    return new Service({ root: this.root, dataDir, port, logName, settings });
  }

  private portsOf(name: string): { port: number; metrics: number } {
    const number = name.startsWith('worker') ? Number(name.slice(-1)) : 0;
    return { port: this.firstPort + number, metrics: this.firstPort + 4 + number };
  }

  private targets(): Target[] {
    return [...this.services].flatMap(([name, { base }]) => {
      const { metrics } = this.portsOf(name);
      const target = (component: Target['component']): Target => ({ name, component, base, metrics });
      if (name === 'all') return [target('api'), target('worker')];
      return [target(name.startsWith('api') ? 'api' : 'worker')];
    });
  }
}
