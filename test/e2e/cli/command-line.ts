import { Pool } from 'pg';
import { startApp, type TestApp } from '../../harness/app/start-app';
import { type ProcessExit, ServiceProcess } from '../start/service-process';

const key = (id: string, fill: number) => `${id}:${Buffer.alloc(32, fill).toString('base64')}`;

/** The command line on the database of a running application. */
export interface CommandLine {
  run(args: string[], env?: Record<string, string>): Promise<ProcessExit>;
  /** Runs a command that must succeed; returns its standard output. */
  runSuccessfully(args: string[], env?: Record<string, string>): Promise<string>;
  json<T>(args: string[], env?: Record<string, string>): Promise<T>;
  /** Expects status 1 and one line with the reason, without internals such as stack traces. */
  expectRefusal(args: string[], reason: RegExp, env?: Record<string, string>): Promise<void>;
}

/** Each command is a separate process, which takes seconds when many tests share few cores. */
const PATIENCE_MS = 240_000;

export function commandLineOf(app: () => TestApp): CommandLine {
  jest.setTimeout(PATIENCE_MS);
  const run: CommandLine['run'] = (args, env = {}) =>
    ServiceProcess.run(
      'cli',
      {
        DATABASE_URL: app().databaseUrl,
        ENCRYPTION_KEYS: key('test', 7),
        TOKEN_KEYS: key('test', 9),
        DATA_DIR: '/nonexistent',
        ...env,
      },
      args,
    );
  const ok: CommandLine['runSuccessfully'] = async (args, env) => {
    const { status, stdout, stderr } = await run(args, env);
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    return stdout;
  };
  return {
    run,
    runSuccessfully: ok,
    json: async <T>(args: string[], env?: Record<string, string>) =>
      JSON.parse(await ok([...args, '--json'], env)) as T,
    async expectRefusal(args, reason, env) {
      const { status, stdout, stderr } = await run(args, env);
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
