import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';

// Each runs a compiler.
jest.setTimeout(180_000);

const run = promisify(execFile);
const ROOT = join(__dirname, '../..');
const PACKAGE = join(ROOT, 'connect');
const TSC = join(ROOT, 'node_modules/typescript/bin/tsc');

/** The package `@docfetch/connect`, installed in the project of a client; `npm run connect` has built it. */
describe('The package of the drop-in', () => {
  let project: string;
  let paths: readonly string[];

  beforeAll(async () => {
    const { stdout } = await run('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], { cwd: PACKAGE });
    paths = (JSON.parse(stdout) as { files: { path: string }[] }[])[0]!.files.map(({ path }) => path);
    project = await mkdtemp(join(tmpdir(), 'docfetch-connect-'));
    for (const path of paths) {
      const target = join(project, 'node_modules/@docfetch/connect', path);
      await mkdir(dirname(target), { recursive: true });
      await cp(join(PACKAGE, path), target);
    }
    await mkdir(join(project, 'node_modules/@types'));
    for (const name of ['react', 'react-dom', '@types/react', '@types/react-dom', 'csstype', 'scheduler'])
      await symlink(join(ROOT, 'node_modules', name), join(project, 'node_modules', name));
    await writeFile(join(project, 'package.json'), JSON.stringify({ name: 'client', private: true, type: 'module' }));
  });
  afterAll(() => rm(project, { recursive: true, force: true }));

  /** Compiles a file in the project of a client; resolves with what the compiler says. */
  async function compileErrors(name: string, text: string, options: Record<string, unknown>): Promise<string> {
    const folder = await mkdtemp(join(project, 'src-'));
    await writeFile(join(folder, name), text);
    const compilerOptions = {
      ...{ target: 'ES2022', lib: ['ES2022', 'DOM', 'DOM.Iterable'], jsx: 'react-jsx' },
      ...{ strict: true, noEmit: true, skipLibCheck: false, types: [] },
      ...options,
    };
    await writeFile(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['.'] }));
    return run(process.execPath, [TSC, '-p', folder]).then(
      () => '',
      (error: { stdout: string }) => error.stdout,
    );
  }

  it('contains only the files needed to use it', () => {
    const others = paths.filter((path) => !/^dist\/(?:(?:dialog|session)\/)?[\w-]+(\.js|\.d\.ts)$/.test(path));
    expect([...others].sort()).toEqual(['README.md', 'package.json']);
    expect(paths).toEqual(expect.arrayContaining(['dist/index.js', 'dist/index.d.ts', 'dist/react.js', 'dist/v1.js']));
  });

  it('needs no other package, except React for its React component', async () => {
    const manifest = JSON.parse(await readFile(join(PACKAGE, 'package.json'), 'utf8')) as Record<string, unknown>;
    expect(Object.keys(manifest).filter((name) => /dependencies$/i.test(name))).toEqual(['peerDependencies']);
    for (const path of paths.filter((each) => each.endsWith('.js'))) {
      const code = await readFile(join(PACKAGE, path), 'utf8');
      const imported = [...code.matchAll(/(?:from|import)\s*\(?['"]([^'"]+)['"]/g)].map(([, name]) => name!);
      const outside = imported.filter((name) => !/^\.\.?\//.test(name));
      expect([path, outside]).toEqual([path, path === 'dist/react.js' ? ['react'] : []]);
    }
  });

  it('is a script of at most 5 kB that works under a strict Content-Security-Policy', async () => {
    const script = await readFile(join(PACKAGE, 'dist/v1.js'), 'utf8');
    expect(gzipSync(script, { level: 9 }).length).toBeLessThanOrEqual(5_000);
    expect(script).not.toMatch(
      /\beval\b|new Function|innerHTML|insertAdjacentHTML|setAttribute\("style"|createElement\("style"/,
    );
  });

  const CODE = `
    import { completeDocfetch, openDocfetch, type DocfetchResult } from '@docfetch/connect';
    const handle = openDocfetch({
      token: async () => 'a.b.c',
      mode: 'iframe',
      onSuccess: ({ url, connection_uuid }: DocfetchResult) => console.log(url, connection_uuid),
      onExit: ({ result }) => console.log(result satisfies 'success' | 'cancelled' | 'error'),
      onEvent: (event) => event.type === 'error' && console.log(event.code),
    });
    handle.close();
    export const result: Promise<DocfetchResult | null> = completeDocfetch();
    // @ts-expect-error there is no such mode
    openDocfetch({ token: 't', mode: 'tab' });
  `;
  const COMPONENT = `
    import { DocfetchConnect, useDocfetch } from '@docfetch/connect/react';
    export function Page() {
      const open = useDocfetch({ token: 't', mode: 'popup' });
      return <><button onClick={open} /><DocfetchConnect className="a" token={() => 't'} onExit={({ url }) => url}>Connect</DocfetchConnect></>;
    }
  `;

  it.each([
    ['nodenext', { module: 'nodenext' }],
    ['a bundler', { module: 'esnext', moduleResolution: 'bundler' }],
  ])('resolves and compiles under %s', async (_, options) => {
    expect(await compileErrors('client.ts', CODE, options)).toBe('');
    expect(await compileErrors('component.tsx', COMPONENT, options)).toBe('');
  });

  it('has a README whose every example in TypeScript compiles', async () => {
    const readme = await readFile(join(PACKAGE, 'README.md'), 'utf8');
    const examples = [...readme.matchAll(/```tsx?\n(.*?)```/gs)].map(([, code]) => code!);
    expect(examples.length).toBeGreaterThan(1);
    for (const code of examples) expect(await compileErrors('example.tsx', code, { module: 'nodenext' })).toBe('');
  });

  it('can be loaded and rendered on a server', async () => {
    const code = `
      import '@docfetch/connect';
      import { DocfetchConnect } from '@docfetch/connect/react';
      import { createElement } from 'react';
      import { renderToString } from 'react-dom/server';
      console.log(renderToString(createElement(DocfetchConnect, { token: 't', id: 'connect' }, 'Connect')));
    `;
    await writeFile(join(project, 'main.js'), code);
    const { stdout } = await run(process.execPath, [join(project, 'main.js')]);
    expect(stdout.trim()).toBe('<button type="button" id="connect">Connect</button>');
  });
});
