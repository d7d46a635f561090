import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { parse, stringify } from 'yaml';
import { eventually } from '../eventually';
import { freePort } from '../free-port';
import { SCRAPE_CONFIG } from './monitoring-files';

interface ScrapeConfig {
  global: Record<string, string>;
  rule_files: string[];
  scrape_configs: { static_configs: { targets: string[]; labels: { component: string } }[] }[];
}

/** A Prometheus with the configuration of the documentation, but for its targets and its intervals. Needs Debian's `prometheus`. */
export class PrometheusServer {
  private constructor(
    private readonly child: ChildProcess,
    private readonly url: string,
    private readonly folder: string,
  ) {}

  static async start(targets: Readonly<Record<string, string>>): Promise<PrometheusServer> {
    const config = parse(readFileSync(SCRAPE_CONFIG, 'utf8')) as ScrapeConfig;
    config.global = { scrape_interval: '1s', evaluation_interval: '1s' };
    config.rule_files = config.rule_files.map((file) => join(dirname(SCRAPE_CONFIG), file));
    for (const group of config.scrape_configs.flatMap(({ static_configs }) => static_configs)) {
      group.targets = [targets[group.labels.component]!];
    }
    const folder = mkdtempSync(join(tmpdir(), 'docfetch-prometheus-'));
    writeFileSync(join(folder, 'prometheus.yaml'), stringify(config));
    const address = `127.0.0.1:${await freePort()}`;
    const child = spawn(
      'prometheus',
      [
        ...[`--config.file=${join(folder, 'prometheus.yaml')}`, `--storage.tsdb.path=${join(folder, 'data')}`],
        ...[`--web.listen-address=${address}`, '--log.level=error'],
      ],
      { stdio: 'inherit' },
    );
    await once(child, 'spawn');
    const server = new PrometheusServer(child, `http://${address}`, folder);
    await eventually(
      () =>
        server.get('/-/ready').then(
          ({ ok }) => ok,
          () => false,
        ),
      'Prometheus is ready',
    );
    return server;
  }

  /** The number of series that a query finds; rejects when it is invalid. */
  async count(query: string): Promise<number> {
    return (await this.read<{ result: unknown[] }>(`/api/v1/query?query=${encodeURIComponent(query)}`)).result.length;
  }

  /** Whether a target has exposed the metric, with or without series. */
  async isExposed(metric: string): Promise<boolean> {
    return (await this.read<unknown[]>(`/api/v1/targets/metadata?metric=${metric}`)).length > 0;
  }

  async rules(): Promise<{ readonly name: string; readonly health: string; readonly state?: string }[]> {
    interface Groups {
      readonly groups: { readonly rules: { name: string; health: string; state?: string }[] }[];
    }
    return (await this.read<Groups>('/api/v1/rules')).groups.flatMap(({ rules }) => rules);
  }

  async stop(): Promise<void> {
    this.child.kill('SIGTERM');
    if (this.child.exitCode === null) await once(this.child, 'close');
    rmSync(this.folder, { recursive: true });
  }

  private async read<T>(path: string): Promise<T> {
    const { status, data, error } = (await (await this.get(path)).json()) as {
      status: string;
      data: T;
      error?: string;
    };
    if (status !== 'success') throw new Error(`${path}: ${error}`);
    return data;
  }

  private get(path: string): Promise<Response> {
    return fetch(`${this.url}${path}`);
  }
}
