import { build } from 'esbuild';
import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { programOf, readGuide } from '../guides/guide';

// Each runs a compiler over all of it.
jest.setTimeout(180_000);

const run = promisify(execFile);
const ROOT = join(__dirname, '../..');
const SDK = join(ROOT, 'sdk/typescript');
const TSC = join(ROOT, 'node_modules/typescript/bin/tsc');

interface Packed {
  readonly files: readonly { readonly path: string }[];
  readonly unpackedSize: number;
}

describe('The published package', () => {
  let project: string;

  beforeAll(async () => {
    project = await mkdtemp(join(tmpdir(), 'docfetch-sdk-'));
    const installed = join(project, 'node_modules/@docfetch/sdk');
    for (const { path } of (await packed()).files) {
      await mkdir(dirname(join(installed, path)), { recursive: true });
      await cp(join(SDK, path), join(installed, path));
    }
    await mkdir(join(project, 'node_modules/@types'));
    await symlink(join(ROOT, 'node_modules/@types/node'), join(project, 'node_modules/@types/node'));
    await symlink(join(ROOT, 'node_modules/undici-types'), join(project, 'node_modules/undici-types'));
    await writeFile(join(project, 'package.json'), JSON.stringify({ name: 'client', private: true, type: 'module' }));
  });
  afterAll(() => rm(project, { recursive: true, force: true }));

  async function packed(): Promise<Packed> {
    const { stdout } = await run('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], { cwd: SDK });
    return (JSON.parse(stdout) as Packed[])[0]!;
  }

  /** Compiles files in the project of a client; resolves with what the compiler says. */
  async function compileErrors(files: Record<string, string>, options: Record<string, unknown>): Promise<string> {
    const folder = await mkdtemp(join(project, 'src-'));
    for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
    const compilerOptions = {
      target: 'ES2022',
      strict: true,
      noEmit: true,
      skipLibCheck: false,
      types: [],
      ...options,
    };
    await writeFile(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['*.ts'] }));
    return run(process.execPath, [TSC, '-p', folder]).then(
      () => '',
      (error: { stdout: string }) => error.stdout,
    );
  }

  const snippets = async () => {
    const readme = await readFile(join(SDK, 'README.md'), 'utf8');
    const found = [...readme.matchAll(/```ts\n(.*?)```/gs)].map(([, code]) => code!);
    expect(found.length).toBeGreaterThan(5);
    return Object.fromEntries(found.map((code, index) => [`snippet-${index + 1}.ts`, `${code}\nexport {};\n`]));
  };

  it('contains only the files needed to run it', async () => {
    const { files, unpackedSize } = await packed();
    const paths = files.map(({ path }) => path);
    expect(paths).toEqual(expect.arrayContaining(['README.md', 'package.json', 'dist/index.js', 'dist/index.d.ts']));
    const others = paths.filter((path) => !/^dist\/.+(\.js|\.d\.ts)$/.test(path));
    expect(others.sort()).toEqual(['README.md', 'package.json']);
    expect(unpackedSize).toBeLessThan(700_000);
  });

  it('needs no other package and nothing of Node', async () => {
    const manifest = JSON.parse(await readFile(join(SDK, 'package.json'), 'utf8')) as Record<string, unknown>;
    expect(manifest).toMatchObject({ type: 'module', sideEffects: false });
    expect(Object.keys(manifest).filter((name) => /dependencies/i.test(name))).toEqual([]);
    for (const { path } of (await packed()).files.filter((file) => file.path.endsWith('.js'))) {
      const code = await readFile(join(SDK, path), 'utf8');
      const imported = [...code.matchAll(/(?:from|import)\s*\(?['"]([^'"]+)['"]/g)].map(([, name]) => name!);
      expect(imported.filter((name) => !name.startsWith('./') && !name.startsWith('../'))).toEqual([]);
      expect(code).not.toMatch(/\b(process|Buffer|require|__dirname)\b[.(]/);
    }
  });

  it.each([
    ['nodenext, with the types of Node', { module: 'nodenext', lib: ['ES2022'], types: ['node'] }],
    ['a bundler, for browsers', { module: 'esnext', moduleResolution: 'bundler', lib: ['ES2022', 'DOM'] }],
  ])('resolves and compiles under %s', async (_, options) => {
    const code = `
      import { createDocfetch, DocfetchError, listTransactions, paginate, type Transaction } from '@docfetch/sdk';
      import { verifyPush } from '@docfetch/sdk/verify';
      const client = createDocfetch({ baseUrl: 'https://docfetch.example.com', apiKey: 'k' });
      export async function all(): Promise<Transaction[]> {
        const rows: Transaction[] = [];
        for await (const row of paginate(listTransactions, { client, query: { status: 'DELIVERED' } })) rows.push(row);
        // @ts-expect-error there is no such status
        await listTransactions({ client, query: { status: 'NEARLY' } });
        // @ts-expect-error a client is needed
        await listTransactions({});
        return rows;
      }
      export const uuid: Promise<string> = verifyPush('', {}, 's').then((document) => document.transaction_uuid);
      export const code = (error: unknown) => (error instanceof DocfetchError ? error.code : null);
    `;
    expect(await compileErrors({ 'client.ts': code }, options)).toBe('');
  });

  it('has a README whose every example compiles', async () => {
    expect(await compileErrors(await snippets(), { module: 'nodenext', lib: ['ES2022'], types: ['node'] })).toBe('');
  });

  it('is used in the guides as it can be used: the blocks of each are a program that compiles', async () => {
    const folder = join(ROOT, 'docs/guides');
    const programs: Record<string, string> = {};
    for (const name of (await readdir(folder)).filter((file) => file !== 'README.md')) {
      const { steps } = readGuide(name, await readFile(join(folder, name), 'utf8'));
      const text = steps.map((step) => programOf(step, 'ts') ?? '').join('\n');
      if (text.trim() !== '') programs[name.replace('.md', '.ts')] = `${text}\nexport {};\n`;
    }
    expect(Object.keys(programs).length).toBeGreaterThan(3);
    expect(await compileErrors(programs, { module: 'nodenext', lib: ['ES2022'], types: ['node'] })).toBe('');
  });

  it('is called in the OpenAPI document as it can be called: every TypeScript sample compiles', async () => {
    const { paths } = JSON.parse(await readFile(join(ROOT, 'openapi.json'), 'utf8')) as {
      paths: Record<
        string,
        Record<string, { operationId: string; 'x-codeSamples'?: { lang: string; source: string }[] }>
      >;
    };
    const operations = Object.values(paths).flatMap((path) => Object.values(path));
    const samples = operations.flatMap(({ operationId, 'x-codeSamples': all = [] }) =>
      all.filter(({ lang }) => lang === 'TypeScript').map(({ source }) => [`${operationId}.ts`, source] as const),
    );
    expect(samples.length).toBeGreaterThan(30);
    const options = { module: 'nodenext', lib: ['ES2022'], types: ['node'] };
    expect(await compileErrors(Object.fromEntries(samples), options)).toBe('');
  });

  it('has sources that also compile with what a worker knows', async () => {
    const options = ['--noEmit', '--lib', 'ES2022,WebWorker,WebWorker.Iterable,WebWorker.AsyncIterable'];
    await run(process.execPath, [TSC, '-p', SDK, ...options]);
  });

  it('runs in plain Node', async () => {
    const code = `
      import { createDocfetch, getConnection } from '@docfetch/sdk';
      const answer = async (request) => Response.json({ data: { asked: request.url } });
      const client = createDocfetch({ baseUrl: 'https://x.example', apiKey: 'k', fetch: answer });
      console.log((await getConnection({ client, path: { uuid: 'u' } })).data.asked);
    `;
    await writeFile(join(project, 'main.js'), code);
    const { stdout } = await run(process.execPath, [join(project, 'main.js')]);
    expect(stdout.trim()).toBe('https://x.example/v1/connections/u');
  });

  it('leaves out of a bundle what is not used', async () => {
    const sizeOf = async (code: string) => {
      const stdin = { contents: code, resolveDir: project };
      const { outputFiles } = await build({ stdin, bundle: true, minify: true, format: 'esm', write: false });
      return { size: outputFiles[0]!.contents.length, text: outputFiles[0]!.text };
    };
    const verify = await sizeOf("import { verifyPush } from '@docfetch/sdk'; console.log(verifyPush);");
    expect(verify.size).toBeLessThan(5_000);
    expect(verify.text).not.toContain('/v1/');
    const one = await sizeOf(
      "import { createDocfetch, getConnection } from '@docfetch/sdk'; console.log(createDocfetch, getConnection);",
    );
    expect(one.text).toContain('/v1/connections/{uuid}');
    expect(one.text).not.toContain('/v1/identities/{identity_uuid}');
    expect(one.text).not.toContain('webhook-');
    const all = await sizeOf("import * as sdk from '@docfetch/sdk'; console.log(sdk);");
    expect(one.size).toBeLessThan(all.size);
  });

  it('has a function for every operation of the OpenAPI document', async () => {
    const document = JSON.parse(await readFile(join(ROOT, 'openapi.json'), 'utf8')) as {
      paths: Record<string, Record<string, { operationId?: string }>>;
    };
    const operations = Object.values(document.paths).flatMap((item) =>
      Object.values(item).flatMap(({ operationId }) => operationId ?? []),
    );
    const sdk: Record<string, unknown> = await import('../../sdk/typescript/dist/index.js');
    expect(operations.filter((name) => typeof sdk[name] !== 'function')).toEqual([]);
    expect((await readdir(join(SDK, 'dist'))).length).toBeGreaterThan(0);
  });
});
