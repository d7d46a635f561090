import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { eventually } from '../../test/harness/eventually';

const ROOT = join(__dirname, '../..');

/** Two targets that are built by `builder.mjs`, modeled on the real ones. */
const TARGETS = `
export const IGNORED = [/\\.spec\\.ts$/];
export const TARGETS = {
  service: { about: 'Docfetch', inputs: ['package.json', 'src'], outputs: ['dist/src/main.js'], folders: ['src'],
    commands: [['builder.mjs', 'src']] },
  demo: { about: 'the demo', after: 'service', inputs: ['test'], outputs: ['dist/test/demo.js'], folders: ['test'],
    commands: [['builder.mjs', 'test']] },
};`;

/** Copies `<folder>/*.ts` to `dist/<folder>/*.js`. Writes its name to builds.log, then waits while the file `hold` exists. */
const BUILDER = `
import fs from 'node:fs';
import { setTimeout } from 'node:timers/promises';
const [folder] = process.argv.slice(2);
const sources = fs.readdirSync(folder).map((name) => [name, fs.readFileSync(folder + '/' + name, 'utf8')]);
fs.appendFileSync('builds.log', folder + '\\n');
while (fs.existsSync('hold')) await setTimeout(20);
if (sources.some(([, text]) => text.includes('wrong'))) { console.log('a.ts: error 1'); process.exit(1); }
fs.mkdirSync('dist/' + folder, { recursive: true });
for (const [name, text] of sources) fs.writeFileSync('dist/' + folder + '/' + name.replace('.ts', '.js'), text);
`;

interface Ended {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

describe('The build before start, migrate, cli and demo', () => {
  let tree: string;
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(tree, path)), { recursive: true });
    writeFileSync(join(tree, path), text);
  };
  const read = (path: string) => readFileSync(join(tree, path), 'utf8');
  /** The builds so far, by the folder that was built. */
  const builds = () => (existsSync(join(tree, 'builds.log')) ? read('builds.log').trim().split('\n') : []);

  function start(...args: string[]): { child: ChildProcess; ended: Promise<Ended>; output: () => string } {
    const child = spawn(process.execPath, ['tools/build/main.mjs', ...args], { cwd: tree });
    let [stdout, stderr] = ['', ''];
    child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
    child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
    const ended = once(child, 'close').then(([status]) => ({ status: status as number | null, stdout, stderr }));
    return { child, ended, output: () => stderr };
  }
  const run = (...args: string[]) => start(...args).ended;
  const until = (isSo: () => boolean, what: string) => eventually(() => Promise.resolve(isSo()), what);

  beforeEach(() => {
    tree = mkdtempSync(join(tmpdir(), 'docfetch-build-'));
    mkdirSync(join(tree, 'tools/build'), { recursive: true });
    for (const file of ['main.mjs', 'files.mjs']) {
      cpSync(join(ROOT, 'tools/build', file), join(tree, 'tools/build', file));
    }
    write('tools/build/targets.mjs', TARGETS);
    write('builder.mjs', BUILDER);
    write('package.json', '{}');
    write('src/main.ts', 'one');
    write('src/other.ts', 'other');
    write('test/demo.ts', 'demo');
  });
  afterEach(() => rmSync(tree, { recursive: true, force: true }));

  it('runs once, and reports it in one line of standard error', async () => {
    const first = await run();
    expect(first).toMatchObject({ status: 0, stdout: '' });
    expect(first.stderr).toMatch(/^Building Docfetch … (… )*done in \d+ s\.\n$/);
    expect(await run()).toEqual({ status: 0, stdout: '', stderr: '' });
    expect(builds()).toEqual(['src']);
    expect(read('dist/src/main.js')).toBe('one');
  });

  it('is repeated when the content of a source changes, but not for a new date or a changed test', async () => {
    await run();
    utimesSync(join(tree, 'src/main.ts'), new Date(), new Date(Date.now() + 60_000));
    write('src/main.spec.ts', 'a test');
    await run();
    expect(builds()).toHaveLength(1);
    write('src/main.ts', 'two');
    await run();
    expect(builds()).toHaveLength(2);
    expect(read('dist/src/main.js')).toBe('two');
  });

  it('is repeated when a source is added, deleted or renamed, and removes the output of deleted sources', async () => {
    await run();
    write('src/new.ts', 'new');
    await run();
    expect(builds()).toHaveLength(2);
    rmSync(join(tree, 'src/other.ts'));
    await run();
    expect(builds()).toHaveLength(3);
    expect(existsSync(join(tree, 'dist/src/other.js'))).toBe(false);
    expect(read('dist/src/new.js')).toBe('new');
  });

  it('is repeated when dist/ is missing', async () => {
    await run();
    rmSync(join(tree, 'dist/src'), { recursive: true });
    await run();
    rmSync(join(tree, 'dist'), { recursive: true });
    await run();
    expect(builds()).toHaveLength(3);
  });

  it.each(['SIGTERM', 'SIGKILL'] as const)('is repeated after a build was ended by %s', async (signal) => {
    await run();
    write('src/main.ts', 'two');
    write('hold', '');
    const cut = start();
    await until(() => builds().length === 2, 'the build has begun');
    cut.child.kill(signal);
    // Processes that SIGKILL leaves behind end as well.
    rmSync(join(tree, 'hold'));
    expect((await cut.ended).status).not.toBe(0);
    expect(await run()).toMatchObject({ status: 0 });
    expect(builds()).toHaveLength(3);
    expect(read('dist/src/main.js')).toBe('two');
  });

  it('is repeated even when the sources are again those of the build before the interrupted one', async () => {
    await run();
    write('src/main.ts', 'wrong');
    await run();
    write('src/main.ts', 'one');
    await run();
    expect(builds()).toHaveLength(3);
  });

  it('fails with the output of the compiler, and is retried', async () => {
    write('src/main.ts', 'wrong');
    const failed = await run();
    expect(failed).toMatchObject({ status: 1, stdout: '' });
    expect(failed.stderr).toMatch(/Docfetch cannot be built: builder\.mjs src ended with 1\.\na\.ts: error 1\n$/);
    expect(await run()).toMatchObject({ status: 1 });
    expect(builds()).toHaveLength(2);
  });

  it('is run by one of two commands that start at the same time, while the other one waits', async () => {
    write('hold', '');
    const first = start();
    await until(() => builds().length === 1, 'the build has begun');
    const second = start();
    await until(() => second.output().includes('Waiting'), 'the second command waits');
    rmSync(join(tree, 'hold'));
    expect([(await first.ended).status, (await second.ended).status]).toEqual([0, 0]);
    expect((await second.ended).stderr).toBe('Waiting for another command that builds …\n');
    expect(builds()).toEqual(['src']);
  });

  it('counts a source that changes during the build as not built', async () => {
    write('hold', '');
    const first = start();
    await until(() => builds().length === 1, 'the build has begun');
    write('src/main.ts', 'two');
    rmSync(join(tree, 'hold'));
    await first.ended;
    await run();
    expect(builds()).toHaveLength(2);
    expect(read('dist/src/main.js')).toBe('two');
  });

  it('requires the packages of package.json in their exact versions', async () => {
    write(
      'package.json',
      JSON.stringify({
        dependencies: { one: '1.0.0' },
        devDependencies: { two: '2.0.0', alias: 'npm:@scope/three@3.0.0' },
      }),
    );
    write('node_modules/one/package.json', JSON.stringify({ version: '1.0.0' }));
    write('node_modules/alias/package.json', JSON.stringify({ name: '@scope/three', version: '3.0.0' }));
    for (const installed of [null, '1.9.0']) {
      if (installed) write('node_modules/two/package.json', JSON.stringify({ version: installed }));
      const { status, stderr } = await run();
      expect([status, stderr.trim()]).toEqual([
        1,
        'Docfetch cannot be built: two 2.0.0 is not installed. Run "npm ci" first.',
      ]);
    }
    write('node_modules/two/package.json', JSON.stringify({ version: '2.0.0' }));
    expect(await run()).toMatchObject({ status: 0 });
    // Starting an existing build requires no build packages.
    rmSync(join(tree, 'node_modules/two'), { recursive: true });
    expect(await run()).toEqual({ status: 0, stdout: '', stderr: '' });
  });

  it('does nothing without sources, as in the image', async () => {
    rmSync(join(tree, 'src'), { recursive: true });
    for (const target of [[], ['demo']]) {
      expect(await run(...target)).toEqual({ status: 0, stdout: '', stderr: '' });
    }
    expect(builds()).toEqual([]);
  });

  it('can run in the background, while the next program runs', async () => {
    write('hold', '');
    expect(await run('service', '--background')).toEqual({ status: 0, stdout: '', stderr: '' });
    await until(() => builds().length === 1, 'a build');
    expect(existsSync(join(tree, 'dist/src/main.js'))).toBe(false);
    rmSync(join(tree, 'hold'));
    await until(() => existsSync(join(tree, 'dist/.build/service')), 'the end of the build');
    await run('service', '--background');
    await run('service');
    expect(builds()).toHaveLength(1);
  });

  it('of the demo starts with that of the service, and repeats only changed targets', async () => {
    await run('demo');
    expect(builds()).toEqual(['src', 'test']);
    write('test/demo.ts', 'another');
    await run();
    expect(builds()).toEqual(['src', 'test']);
    await run('demo');
    expect(builds()).toEqual(['src', 'test', 'test']);
    write('src/main.ts', 'two');
    await run('demo');
    expect(builds()).toEqual(['src', 'test', 'test', 'src']);
  });
});

describe('The inputs of the builds', () => {
  const targets = JSON.parse(
    execFileSync(
      process.execPath,
      ['-e', `import('./tools/build/targets.mjs').then(({ TARGETS }) => console.log(JSON.stringify(TARGETS)))`],
      { cwd: ROOT, encoding: 'utf8' },
    ),
  ) as Record<string, { inputs: string[]; commands: string[][] }>;
  const readJson = <T>(name: string) => JSON.parse(readFileSync(join(ROOT, name), 'utf8')) as T;

  it('exist', () => {
    const paths = Object.values(targets).flatMap(({ inputs, commands }) => [
      ...inputs,
      ...commands.map((command) => command.find((argument) => !argument.startsWith('--'))!),
    ]);
    // A program of the service is compiled before it runs; its source exists in a clean checkout too.
    const sources = paths.map((path) => path.replace(/^dist\/(.*)\.js$/, '$1.ts'));
    expect(sources.filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
  });

  it('include all inputs of the compiler and of the image build', () => {
    const { include } = readJson<{ include: string[] }>('tsconfig.build.json');
    expect(targets.service!.inputs).toEqual(expect.arrayContaining(include));
    const image = readFileSync(join(ROOT, '.dockerignore'), 'utf8').matchAll(/^!(\S+)$/gm);
    const files = [...image].map(([, path]) => path!).filter((path) => path !== '.npmrc');
    const inputs = ['connect', 'ui', 'console', 'service', 'docs'].flatMap((name) => targets[name]!.inputs);
    const isBelow = (path: string) => inputs.some((input) => path.startsWith(`${input}/`));
    expect([...new Set(inputs.filter((path) => !isBelow(path)))].sort()).toEqual(files.sort());

    const [build] = readFileSync(join(ROOT, 'Dockerfile'), 'utf8').split(/^FROM .* AS packages$/m);
    const copied = [...build!.matchAll(/^COPY (.+) \S+$/gm)].flatMap(([, sources]) => sources!.split(' '));
    const isCopied = (path: string) => copied.some((source) => path === source || path.startsWith(`${source}/`));
    expect(files.filter((path) => !isCopied(path))).toEqual([]);
  });

  it('are checked before start, migrate, cli and demo', () => {
    const { scripts } = readJson<{ scripts: Record<string, string> }>('package.json');
    const { prestart, premigrate, precli, predemo } = scripts;
    const inBackground = ' && node tools/build/main.mjs docs --background';
    expect([premigrate, precli]).toEqual(Array(2).fill('node tools/build/main.mjs'));
    expect(prestart).toBe(`node tools/build/main.mjs${inBackground}`);
    expect(predemo!.endsWith(` && node tools/build/main.mjs demo${inBackground}`)).toBe(true);
  });
});
