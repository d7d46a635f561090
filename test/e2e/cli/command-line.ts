import { Readable, Writable } from 'node:stream';
import { Pool } from 'pg';
import { runCommand } from '../../../src/cli/run-command';
import type { Open } from '../../../src/cli/use-cases/application';
import { useCasesOf } from '../../../src/cli/use-cases/open-use-cases';
import { startApp, type TestApp } from '../../harness/app/start-app';
import { type ProcessExit, ServiceProcess } from '../start/service-process';

const key = (id: string, fill: number) => `${id}:${Buffer.alloc(32, fill).toString('base64')}`;

/** The command line, on the application of the test. */
export interface CommandLine {
  /** Runs a command in this process, with the use cases of the test's application, and `input` on standard input. */
  run(args: readonly string[], input?: string): Promise<ProcessExit>;
  /** Runs the built program as a process of its own, with the application's database and these settings besides. */
  runProcess(args: string[], env?: Record<string, string>): Promise<ProcessExit>;
  /** Runs a command that must succeed; returns its standard output. */
  runSuccessfully(args: readonly string[], input?: string): Promise<string>;
  json<T>(args: readonly string[], input?: string): Promise<T>;
  /** Expects status 1 and one line with the reason, without internals such as stack traces. */
  expectRefusal(args: readonly string[], reason: RegExp, input?: string): Promise<void>;
}

const refuse = () => Promise.reject(new Error('The application would be started.'));
/** Fails a command that needs a database. */
export const WITHOUT_DATABASE: Open = refuse;

/** Collects what is written. */
export class TextOutput extends Writable {
  text = '';

  override _write(chunk: Buffer, _: string, done: () => void): void {
    this.text += chunk.toString();
    done();
  }
}

/** Runs a command in this process, with `input` on standard input. */
export async function runInProcess(args: readonly string[], open: Open, input = ''): Promise<ProcessExit> {
  const [stdout, stderr] = [new TextOutput(), new TextOutput()];
  const status = await runCommand(args, { stdin: Readable.from([Buffer.from(input)]), stdout, stderr }, open);
  return { status, signal: null, stdout: stdout.text, stderr: stderr.text };
}

export function commandLineOf(app: () => TestApp): CommandLine {
  const opened = () => Promise.resolve({ useCases: useCasesOf(app().app), close: () => Promise.resolve() });
  const open: Open = opened;
  const run: CommandLine['run'] = (args, input) => runInProcess(args, open, input);
  const ok: CommandLine['runSuccessfully'] = async (args, input) => {
    const { status, stdout, stderr } = await run(args, input);
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    return stdout;
  };
  return {
    run,
    runProcess: (args, env = {}) =>
      ServiceProcess.run(
        'cli',
        {
          DATABASE_URL: app().databaseUrl,
          ENCRYPTION_KEYS: key('test', 7),
          TOKEN_KEYS: key('test', 9),
          DATA_DIR: '/dev/null/docfetch',
          ...env,
        },
        args,
      ),
    runSuccessfully: ok,
    json: async <T>(args: readonly string[], input?: string) => JSON.parse(await ok([...args, '--json'], input)) as T,
    async expectRefusal(args, reason, input) {
      const { status, stdout, stderr } = await run(args, input);
      expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
      expect(stderr).toMatch(reason);
      expect(stderr.trim().split('\n')).toHaveLength(1);
      expect(stderr).not.toMatch(/ at .*\.js|select |::/);
    },
  };
}

/** With its own application and database access, which exist from `beforeAll` on. */
export function useCommandLine(): CommandLine & { readonly app: TestApp; readonly pool: Pool } {
  const own = {} as { app: TestApp; pool: Pool };
  beforeAll(async () => {
    own.app = await startApp({ role: 'api' });
    own.pool = new Pool({ connectionString: own.app.databaseUrl, max: 2 });
  });
  afterAll(async () => {
    await own.pool?.end();
    await own.app?.stop();
  });
  return Object.assign(
    own,
    commandLineOf(() => own.app),
  );
}
