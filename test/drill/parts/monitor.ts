import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse, stringify } from 'yaml';

interface ScrapeConfig {
  global: Record<string, string>;
  rule_files: string[];
  scrape_configs: { static_configs: { targets: string[]; labels: { component: string } }[] }[];
}
export interface Target {
  readonly component: 'api' | 'worker';
  readonly name: string;
  readonly base: string;
  readonly metrics: number;
}
interface Alert {
  readonly state: string;
  readonly labels: { readonly alertname: string };
}

const POLL_MS = 1_000;

/** A Prometheus with the rules of the repository, and probes of the processes. Reports every change. */
export class Monitor {
  private readonly states = new Map<string, string>();
  private timer: NodeJS.Timeout | undefined;
  private constructor(
    private readonly prometheus: ChildProcess,
    private readonly base: string,
    private readonly targets: readonly Target[],
    private readonly say: (line: string) => void,
  ) {}

  static async start(
    root: string,
    folder: string,
    port: number,
    targets: readonly Target[],
    say: (line: string) => void,
  ): Promise<Monitor> {
    mkdirSync(folder, { recursive: true });
    const rules = join(root, 'docs/deploy/prometheus');
    const config = parse(readFileSync(join(rules, 'scrape.yaml'), 'utf8')) as ScrapeConfig;
    config.rule_files = config.rule_files.map((file) => join(rules, file));
    for (const group of config.scrape_configs.flatMap(({ static_configs }) => static_configs)) {
      const own = targets.filter(({ component }) => component === group.labels.component);
      group.targets = own.map(({ metrics }) => `127.0.0.1:${metrics}`);
    }
    const file = join(folder, 'prometheus.yaml');
    writeFileSync(file, stringify(config));
    const storage = `--storage.tsdb.path=${join(folder, 'data')}`;
    const args = [`--config.file=${file}`, storage, `--web.listen-address=127.0.0.1:${port}`, '--log.level=error'];
    const prometheus = spawn('prometheus', args, { stdio: 'inherit' });
    await once(prometheus, 'spawn');
    const monitor = new Monitor(prometheus, `http://127.0.0.1:${port}`, targets, say);
    monitor.timer = setInterval(() => void monitor.observe(), POLL_MS);
    return monitor;
  }

  async stop(): Promise<void> {
    clearInterval(this.timer);
    this.prometheus.kill('SIGTERM');
    if (this.prometheus.exitCode === null) await once(this.prometheus, 'exit');
  }

  private async observe(): Promise<void> {
    const probes = this.targets.flatMap(({ name, base }) =>
      ['live', 'ready'].map(async (probe) =>
        this.note(`${name} /health/${probe}`, await statusOf(`${base}/health/${probe}`)),
      ),
    );
    await Promise.all([...probes, this.observeAlerts()]);
  }

  private async observeAlerts(): Promise<void> {
    const response = await fetch(`${this.base}/api/v1/alerts`, { signal: AbortSignal.timeout(5_000) }).catch(
      () => null,
    );
    if (response?.status !== 200) return;
    const { data } = (await response.json()) as { data: { alerts: Alert[] } };
    const states = new Map<string, string>();
    for (const { state, labels } of data.alerts) {
      if (state === 'firing' || !states.has(labels.alertname)) states.set(labels.alertname, state);
    }
    for (const name of this.states.keys())
      if (name.startsWith('alert ') && !states.has(name.slice(6))) this.note(name, 'inactive');
    for (const [name, state] of states) this.note(`alert ${name}`, state);
  }

  private note(what: string, state: string): void {
    if (this.states.get(what) === state) return;
    this.states.set(what, state);
    this.say(`${what}: ${state}`);
  }
}

async function statusOf(url: string): Promise<string> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(5_000) });
    await response.arrayBuffer();
    return String(response.status);
  } catch (error) {
    const { name, cause } = error as Error & { cause?: { code?: string } };
    return name === 'TimeoutError' ? 'no answer' : (cause?.code ?? name);
  }
}
