import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

const ROOT = join(__dirname, '../..');

describe('The compilation of the service', () => {
  let tree: string;
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(tree, path)), { recursive: true });
    writeFileSync(join(tree, path), text);
  };
  const read = (path: string) => readFileSync(join(tree, 'dist', path), 'utf8');
  const compile = () =>
    execFileSync(process.execPath, ['tools/build/compile.mjs', 'service', 'src', 'texts'], { cwd: tree });

  beforeEach(() => {
    tree = mkdtempSync(join(tmpdir(), 'docfetch-compile-'));
    for (const file of ['compile.mjs', 'files.mjs', 'targets.mjs']) {
      cpSync(join(ROOT, 'tools/build', file), join(tree, 'tools/build', file));
    }
    symlinkSync(join(ROOT, 'node_modules'), join(tree, 'node_modules'));
    mkdirSync(join(tree, 'dist/.build'), { recursive: true });
    write('package.json', '{}');
    cpSync(join(ROOT, '.swcrc'), join(tree, '.swcrc'));
    write(
      'src/a/use.ts',
      `import { Clock } from '../clock';\n@decorated\nexport class Use { constructor(readonly clock: Clock) {} }`,
    );
    write('src/clock.ts', 'export class Clock {}\nexport class OtherClock {}');
    write('src/a/use.spec.ts', 'it.todo("something");');
    write('texts/en.json', '{"yes":"yes"}');
    compile();
  });
  afterEach(() => rmSync(tree, { recursive: true }));

  it('keeps the types of constructors for dependency injection, and leads to the source', () => {
    expect(read('src/a/use.js')).toMatch(/_metadata\("design:param\w+",[^)]*_clock\.Clock/);
    expect(JSON.parse(read('src/a/use.js.map'))).toMatchObject({ sources: ['../../../src/a/use.ts'] });
  });

  it('lets `import()` find what a module exports, as the command line loads the application', () => {
    const load = `import('./dist/src/clock.js').then(({ Clock }) => console.log(new Clock().constructor.name))`;
    expect(execFileSync(process.execPath, ['-e', load], { cwd: tree, encoding: 'utf8' })).toBe('Clock\n');
  });

  it('copies all other files, and leaves out tests', () => {
    expect(read('texts/en.json')).toBe('{"yes":"yes"}');
    expect(existsSync(join(tree, 'dist/src/a/use.spec.js'))).toBe(false);
  });

  it('writes only what has changed or is missing', () => {
    for (const file of ['src/clock.js', 'texts/en.json']) writeFileSync(join(tree, 'dist', file), 'from before');
    write('src/a/use.ts', 'export const use = 1;');
    compile();
    expect(read('src/a/use.js')).toContain('use = 1');
    expect([read('src/clock.js'), read('texts/en.json')]).toEqual(['from before', 'from before']);
    rmSync(join(tree, 'dist/src/clock.js'));
    compile();
    expect(read('src/clock.js')).toContain('class Clock');
  });

  it('compiles everything again with other options', () => {
    writeFileSync(join(tree, 'dist/src/clock.js'), 'from before');
    write('.swcrc', readFileSync(join(tree, '.swcrc'), 'utf8').replace('es2023', 'es2022'));
    compile();
    expect(read('src/clock.js')).toContain('class Clock');
  });
});
