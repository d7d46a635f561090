import { execFile } from 'node:child_process';
import { appendFileSync, closeSync, mkdirSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Child } from './child';
import { DemoFailure } from './display';

/** A first start creates a database, which takes a while on a busy machine. */
const START_MS = 90_000;
const COMMAND_MS = 60_000;
/** Settings that are not inherited, so that the demo equals a fresh checkout. */
const NOT_INHERITED = [
  'NODE_ENV',
  'DATABASE_URL',
  'PUBLIC_URL',
  'ENCRYPTION_KEYS',
  'TOKEN_KEYS',
  'ROLE',
  'NETWORK_ALLOW',
  'STORAGE_URL',
];

export interface ServiceLocation {
  /** The checkout. */
  readonly root: string;
  readonly dataDir: string;
  readonly port: number;
  /** The name of the log file. */
  readonly logName?: string;
  /** The settings; by default those of a fresh checkout. */
  readonly settings?: NodeJS.ProcessEnv;
  /** Arguments of the service. */
  readonly args?: readonly string[];
}

/** Docfetch itself, started as `npm start` does, on its embedded database. Its output goes to `log`. */
export class Service {
  readonly base: string;
  readonly log: string;
  private readonly child: Child;
  /** The settings for another process with the same database. */
  readonly env: NodeJS.ProcessEnv;
  private complaint = '';

  constructor(private readonly place: ServiceLocation) {
    this.base = `http://localhost:${place.port}`;
    this.log = join(place.dataDir, place.logName ?? 'demo.log');
    const settings = place.settings ?? settingsOfFreshCheckout();
    this.env = { ...settings, PORT: String(place.port), DATA_DIR: place.dataDir, NO_COLOR: '1' };
    const log = this.openLog();
    this.child = new Child(this.script('main'), { env: this.env, stdout: log, stderr: 'pipe', args: place.args });
    closeSync(log);
    this.child.stderr.setEncoding('utf8').on('data', (text: string) => {
      appendFileSync(this.log, text);
      this.complaint = (this.complaint + text).slice(-2000);
    });
  }

  /** Resolves when it answers requests. Rejects with its output when it exits instead. */
  async ready(): Promise<void> {
    const deadline = performance.now() + START_MS;
    while (!(await this.isReady())) {
      if (!this.child.running) throw await this.ended();
      if (performance.now() > deadline) {
        throw new DemoFailure(`The service did not start within ${START_MS / 1000} seconds.`, [`Its log: ${this.log}`]);
      }
      await pause(100);
    }
  }

  /** Resolves with its last output when it has ended. */
  async ended(): Promise<DemoFailure> {
    const how = await this.child.ended;
    const words = this.complaint.trim().split('\n').slice(-5).filter(Boolean);
    return new DemoFailure(words.pop() ?? `The service has ended (${how}).`, [...words, `Its log: ${this.log}`]);
  }

  /** Runs a CLI command on the service's database and returns its JSON output. */
  command<T>(args: readonly string[], input = ''): Promise<T> {
    return new Promise((resolve, reject) => {
      const options = { env: this.env, timeout: COMMAND_MS, cwd: this.place.root };
      const child = execFile(
        process.execPath,
        [this.script('cli'), ...args, '--json'],
        options,
        (error, stdout, stderr) => {
          if (!error) return resolve(JSON.parse(stdout) as T);
          const why = error.killed ? `It took more than ${COMMAND_MS / 1000} seconds.` : stderr.trim();
          reject(new DemoFailure(`The command "${args.slice(0, 2).join(' ')}" failed.`, [why]));
        },
      );
      child.stdin!.on('error', () => undefined).end(input);
    });
  }

  stop(): Promise<boolean> {
    return this.child.stop();
  }

  kill(): void {
    this.child.kill();
  }

  async error(): Promise<DemoFailure | undefined> {
    return (await this.child.end()) ? this.ended() : undefined;
  }

  private openLog(): number {
    const { dataDir } = this.place;
    try {
      mkdirSync(dataDir, { recursive: true });
      return openSync(this.log, 'a');
    } catch (error) {
      throw new DemoFailure(`The folder ${dataDir} cannot be used: set DATA_DIR to another one.`, [
        (error as Error).message,
      ]);
    }
  }

  private script(name: string): string {
    return join(this.place.root, 'dist', 'src', `${name}.js`);
  }

  private async isReady(): Promise<boolean> {
    try {
      const response = await fetch(`${this.base}/health/ready`, { signal: AbortSignal.timeout(2_000) });
      await response.arrayBuffer();
      return response.status === 200;
    } catch {
      return false;
    }
  }
}

export function settingsOfFreshCheckout(): NodeJS.ProcessEnv {
  const settings = { ...process.env };
  for (const name of NOT_INHERITED) delete settings[name];
  return settings;
}
