import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { processIdentity } from '../../src/platform/database/embedded/process-table';

const ROOT = join(__dirname, '../..');
const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
  scripts: Readonly<Record<string, string>>;
};

describe('The check for a running service before a build', () => {
  let dataDir: string;
  beforeEach(() => {
    dataDir = mkdtempSync(join(tmpdir(), 'docfetch-running-'));
    mkdirSync(join(dataDir, 'postgres'));
  });
  afterEach(() => rmSync(dataDir, { recursive: true }));

  /** Runs the command that precedes the build of the demo. */
  const check = (env: NodeJS.ProcessEnv = {}) => {
    const [node, ...args] = scripts.predemo!.split(' && ')[0]!.split(' ');
    expect(node).toBe('node');
    const { status, stdout, stderr } = spawnSync(process.execPath, args, {
      cwd: ROOT,
      encoding: 'utf8',
      env: { ...process.env, DATABASE_URL: '', DATA_DIR: dataDir, ...env },
    });
    return { status, output: stdout + stderr };
  };
  const owned = (by: string) => writeFileSync(join(dataDir, 'postgres', 'owner'), by);

  it('passes silently without a database', () => {
    expect(check()).toEqual({ status: 0, output: '' });
  });

  it('fails with the process that runs the database', () => {
    owned(processIdentity(process.pid)!);
    const { status, output } = check();
    expect(status).toBe(1);
    expect(output).toBe(
      `Docfetch is already running on ${dataDir} (process ${process.pid}). Stop it first, or set another DATA_DIR.\n`,
    );
  });

  it('passes when another process has the id of the former owner', () => {
    owned(`${process.pid} 1 of an earlier boot`);
    expect(check()).toEqual({ status: 0, output: '' });
  });

  it('passes when the service uses another database', () => {
    owned(processIdentity(process.pid)!);
    expect(check({ DATABASE_URL: 'postgres://db/docfetch' })).toEqual({ status: 0, output: '' });
  });

  it('precedes the builds of the demo and of the seed', () => {
    expect(scripts.predemo).toBe(`${scripts.preseed} && node tools/build/main.mjs docs --background`);
  });
});
