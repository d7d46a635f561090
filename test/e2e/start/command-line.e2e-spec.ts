import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { changed } from '../../harness/declarative/declared-provider';
import { JsonServer } from '../../harness/declarative/json-server';
import { useCommandLine } from '../cli/command-line';
import { builtService } from './built-service';
import { ServiceProcess } from './service-process';

const ROOT = join(__dirname, '../../..');

jest.setTimeout(120_000);

/** Invalid settings: commands that need a setting or the database fail with their errors. */
const run = (...args: string[]) => ServiceProcess.run('cli', { PORT: 'none', DATA_DIR: '/dev/null/docfetch' }, args);

/** The files that Node loads with a module of the built program. */
async function loadedBy(src: string, module: string): Promise<string[]> {
  const load = `require('./${module}'); process.stdout.write(JSON.stringify(Object.keys(require.cache)));`;
  const { stdout } = await promisify(execFile)(process.execPath, ['--eval', load], { cwd: src });
  return JSON.parse(stdout) as string[];
}

describe('docfetch as a process of its own, without settings and without a database', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'providers-'));
  });
  afterEach(() => rm(folder, { recursive: true }));

  it.each([
    [['key', '--help'], { status: 0, stdout: expect.stringMatching(/^Usage: docfetch key /), stderr: '' }],
    [['key', 'lend'], { status: 1, stdout: '', stderr: expect.stringMatching(/^There is no command .*\n$/) }],
    [['key', '--jso'], { status: 1, stdout: '', stderr: expect.stringMatching(/^unknown option .*\n$/) }],
  ])('prints help and errors: %j', async (args, expected) => {
    expect(await run(...args)).toMatchObject(expected);
  });

  it('prints its version', async () => {
    const { version } = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8')) as {
      version: string;
    };
    expect(await run('--version')).toMatchObject({ status: 0, stdout: `${version}\n`, stderr: '' });
  });

  it('loads no framework for help, and neither the API nor connectors for a command', async () => {
    const src = join(await builtService(), 'src');
    const help = await loadedBy(src, 'cli/run-command');
    expect(help).toContain(join(src, 'cli/program.js'));
    expect(help.filter((path) => /\/@(nestjs|mikro-orm)\//.test(path))).toEqual([]);
    const command = await loadedBy(src, 'cli/use-cases/open-use-cases');
    expect(command).toContain(join(src, 'cli/use-cases/use-cases.module.js'));
    expect(
      command.filter((path) =>
        /\.(controller|dto|view)\.js$|\/integration-registry\.js$|\/(@nestjs\/swagger|class-validator)\//.test(path),
      ),
    ).toEqual([]);
  });

  it('reports invalid settings when a command needs them', async () => {
    const { status, stdout, stderr } = await run('environment', 'list');
    expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
    expect(stderr).toMatch(/^PORT must be .*"none"/);
  });

  it('checks files of providers', async () => {
    const bad = join(folder, 'other.yaml');
    await writeFile(bad, changed({ id: 'other', category: 'BOOKS', zone: null }));
    expect(await run('provider', 'check', bad)).toMatchObject({
      status: 1,
      stderr: '1 of 1 files have errors.\n',
    });
  });

  it('records and replays what a provider answers', async () => {
    const server = await JsonServer.start();
    server.answer = ({ path }) => {
      if (path.endsWith('/pdf')) return { body: Buffer.from('%PDF-1.7 of Erika Mustermann') };
      if (path === '/me') return { body: { id: 'acme-42', name: 'Erika Mustermann' } };
      return { body: { data: [{ id: 71, number: 'R-4711', date: '2026-02-28', total: '119.00', currency: 'EUR' }] } };
    };
    try {
      const [file, out] = [join(folder, 'acme.yaml'), join(folder, 'acme.cassette.json')];
      await writeFile(file, changed({}));
      const DATA_DIR = join(folder, 'data');
      const env = { DATA_DIR, API_ACME_BASE_URL: server.url };
      const recorded = await ServiceProcess.run('cli', env, ['provider', 'record', file, '--out', out], 'secret\n');
      expect(recorded).toMatchObject({ status: 0, stderr: 'API key (not shown): \n' });
      expect(recorded.stdout).toContain('invoice: 1 documents, 1 downloaded\n');
      const { stdout } = await ServiceProcess.run('cli', { DATA_DIR }, ['provider', 'replay', out, '--file', file]);
      expect(stdout).toMatch(/: the file of acme fits \(/);
    } finally {
      await server.stop();
    }
  });
});

describe('docfetch as a process of its own, with a database', () => {
  const line = useCommandLine();

  it('creates an environment', async () => {
    const create = ['environment', 'create', '--client', 'Acme', '--name', 'Production', '--kind', 'live', '--json'];
    const { status, stdout, stderr } = await line.runProcess(create);
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    const { environment_uuid: uuid } = JSON.parse(stdout) as { environment_uuid: string };
    const { rows } = await line.pool.query('select name, kind from environment where uuid = $1', [uuid]);
    expect(rows).toEqual([{ name: 'Production', kind: 'LIVE' }]);
  });
});
