import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const ROOT = join(__dirname, '../..');
const run = (cwd: string, ...args: string[]) => spawnSync(process.execPath, args, { cwd, encoding: 'utf8' });

describe('npm run integration:new', () => {
  let copy: string;
  const make = (...words: string[]) => run(copy, 'tools/new-integration/main.mjs', ...words);

  beforeEach(() => {
    copy = mkdtempSync(join(tmpdir(), 'new-integration-'));
    for (const folder of ['src', 'test', 'tools', 'tsconfig.json', 'package.json', '.prettierrc.json'])
      cpSync(join(ROOT, folder), join(copy, folder), { recursive: true });
    symlinkSync(join(ROOT, 'node_modules'), join(copy, 'node_modules'));
  });
  afterEach(() => rmSync(copy, { recursive: true, force: true }));

  it('generates a connector whose files compile, listed in the registry and in the contract suite', () => {
    const { status, stdout, stderr } = make('acme_books', 'Acme Books');
    expect([status, stderr]).toEqual([0, '']);
    const files = [...stdout.matchAll(/^(?:made|changed) +(\S+)$/gm)].map(([, file]) => file!);
    expect(files).toContain('src/integrations/acme-books/logo.svg');
    const sources = files.filter((file) => file.endsWith('.ts'));
    expect(sources).toHaveLength(9);
    for (const file of files) expect(readFileSync(join(copy, file), 'utf8')).not.toContain('__');
    expect(readFileSync(join(copy, 'src/integrations/integration-registry.ts'), 'utf8')).toMatch(
      /\[\n {2}acmeBooks,\n/,
    );

    const include = [...sources, 'src/**/*.d.ts', 'test/**/*.d.ts'];
    writeFileSync(join(copy, 'tsconfig.new.json'), JSON.stringify({ extends: './tsconfig.json', include }));
    const compiled = run(copy, 'node_modules/typescript/bin/tsc', '--noEmit', '-p', 'tsconfig.new.json');
    expect(compiled.stdout).toBe('');
    const written = run(copy, 'node_modules/prettier/bin/prettier.cjs', '--check', ...sources);
    expect([written.status, written.stderr]).toEqual([0, '']);
  }, 240_000);

  it('changes nothing when the id is taken or invalid', () => {
    const before = readFileSync(join(copy, 'src/integrations/integration-registry.ts'), 'utf8');
    for (const words of [[], ['Acme'], ['acme-books'], ['../x'], ['stripe'], ['shared'], ['acme', "Acme's"]]) {
      const { status, stderr } = make(...words);
      expect([words, status, stderr.trim()]).toEqual([words, 1, expect.stringMatching(/\S/)]);
    }
    expect(readFileSync(join(copy, 'src/integrations/integration-registry.ts'), 'utf8')).toBe(before);
  });
});
