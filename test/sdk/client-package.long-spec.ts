import { execFile, spawnSync } from 'node:child_process';
import { cp, mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { KEY } from './use-sdk';

const run = promisify(execFile);
const ROOT = join(__dirname, '../..');
const CLI = join(ROOT, 'sdk/cli');

/** The package of `docfetch-client`, built and installed into a folder without other packages. */
describe('The package of docfetch-client', () => {
  let installed: string;
  let files: string[];

  beforeAll(async () => {
    await run(process.execPath, ['tools/build/main.mjs', 'client'], { cwd: ROOT });
    const { stdout } = await run('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], { cwd: CLI });
    files = (JSON.parse(stdout) as { files: { path: string }[] }[])[0]!.files.map(({ path }) => path);
    installed = await mkdtemp(join(tmpdir(), 'docfetch-client-package-'));
    for (const path of files) {
      await mkdir(dirname(join(installed, path)), { recursive: true });
      await cp(join(CLI, path), join(installed, path));
    }
  });
  afterAll(() => rm(installed, { recursive: true, force: true }));

  const client = (args: string[], { input = '', env = {} }: { input?: string; env?: NodeJS.ProcessEnv } = {}) =>
    spawnSync(process.execPath, [join(installed, 'dist/main.mjs'), ...args], {
      input,
      encoding: 'utf8',
      env: { ...process.env, DOCFETCH_LANG: 'en', DOCFETCH_CONFIG_DIR: join(installed, 'config'), ...env },
    });

  it('contains the program, its licenses and nothing of its sources', () => {
    expect(files).toEqual(
      expect.arrayContaining(['README.md', 'package.json', 'dist/main.mjs', 'dist/THIRD-PARTY-LICENSES.txt']),
    );
    const others = files.filter((path) => !/^(README\.md|package\.json|dist\/THIRD-.*|dist\/.*\.mjs)$/.test(path));
    expect(others).toEqual([]);
  });

  it('runs without any other package, and names the version of its package', async () => {
    const { version } = JSON.parse(await readFile(join(CLI, 'package.json'), 'utf8')) as { version: string };
    expect(client(['--version'])).toMatchObject({ status: 0, stdout: `${version}\n`, stderr: '' });
    expect(client(['transactions', 'list'])).toMatchObject({ status: 3, stdout: '' });
  });

  it('answers an assistant on standard input and output, also what was asked just before the end', () => {
    const clientInfo = { name: 'test', version: '1' };
    const messages = [
      { id: 1, method: 'initialize', params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo } },
      { method: 'notifications/initialized' },
      { id: 2, method: 'tools/list' },
      { id: 3, method: 'tools/call', params: { name: 'list_failures', arguments: {} } },
    ];
    const input = messages.map((message) => `${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`).join('');
    // Nothing listens there.
    const env = { DOCFETCH_URL: 'http://127.0.0.1:9', DOCFETCH_API_KEY: KEY };
    const { status, stdout, stderr } = client(['mcp'], { input, env });
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    const answers = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { id: number; result: object });
    expect(answers.map(({ id }) => id)).toEqual([1, 2, 3]);
    expect(JSON.stringify(answers[2]!.result)).toContain('SERVICE_UNREACHABLE');
    expect(stdout).not.toContain(KEY);
  });
});
