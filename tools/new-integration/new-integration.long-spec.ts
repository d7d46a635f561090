import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'yaml';
import { declareIntegration } from '../../src/integrations/declarative/declare-integration';

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

  it('proposes the file of a provider from its OpenAPI description, and names what that does not tell', () => {
    const record = (...names: string[]) => ({
      type: 'object',
      properties: Object.fromEntries(names.map((name) => [name, { type: 'string' }])),
    });
    const json = (schema: object) => ({ 200: { description: '', content: { 'application/json': { schema } } } });
    const list = (schema: object) => ({ type: 'object', properties: { data: { type: 'array', items: schema } } });
    const query = (...names: string[]) => names.map((name) => ({ name, in: 'query', schema: { type: 'string' } }));
    const description = {
      openapi: '3.1.0',
      info: { title: 'Acme Books API', version: '1' },
      servers: [{ url: 'https://api.acme.test/v1/' }],
      components: {
        securitySchemes: { key: { type: 'apiKey', in: 'header', name: 'X-Key' } },
        schemas: {
          Invoice: { allOf: [record('id', 'invoice_number', 'date', 'updated_at'), record('currency', 'total')] },
        },
      },
      paths: {
        '/account': { get: { responses: json(record('id', 'name')) } },
        '/companies': { get: { responses: json(list(record('id', 'name'))) } },
        '/invoices': {
          get: {
            parameters: query('page', 'per_page', 'updated_since'),
            responses: json(list({ $ref: '#/components/schemas/Invoice' })),
          },
        },
        '/invoices/{invoice}/pdf': {
          get: { responses: { 200: { description: '', content: { 'application/pdf': {} } } } },
        },
        '/companies/{companyId}/receipts': {
          get: { parameters: query('offset'), responses: json(list(record('id', 'pdf_url'))) },
        },
        '/invoices/{invoice}/notes': { get: { responses: json(list(record('id'))) } },
      },
    };
    writeFileSync(join(copy, 'acme.json'), JSON.stringify(description));
    const { status, stdout, stderr } = make('--openapi', 'acme.json');
    expect([status, stderr]).toEqual([0, '']);
    const file = 'src/integrations/providers/acme_books.yaml';
    expect(stdout).toContain(`made    ${file}\n`);
    const text = readFileSync(join(copy, file), 'utf8');
    expect(declareIntegration(file, text).manifestErrors).toEqual([]);
    expect(text.split('\n').length).toBeLessThanOrEqual(90);
    expect(parse(text)).toMatchObject({
      base: 'https://api.acme.test/v1',
      auth: { type: 'api_key', headers: { 'x-key': '{$api_key}' } },
      account: { get: '/account', id: 'id', display: 'name' },
      choose: { company: { get: '/companies', items: 'data', value: 'id', text: 'name' } },
      streams: {
        invoices: {
          type: 'invoice',
          list: { get: '/invoices', query: { page: '{$page}', per_page: '{$size}', updated_since: '{$since | iso}' } },
          changes: { strategy: 'updated_since', at: 'updated_at' },
          document: { get: '/invoices/{$id}/pdf' },
          metadata: { number: 'invoice_number', date: 'date', currency: 'currency', amount: 'total' },
        },
        receipts: {
          type: 'receipt',
          per: 'company',
          list: { get: '/companies/{$company}/receipts', page: { style: 'offset' } },
          record: { get: '/companies/{$company}/receipts/{$id}' },
          document: { url: 'pdf_url' },
        },
      },
      unknown: expect.arrayContaining(['The limits of the API.']),
    });
    expect(run(copy, 'node_modules/prettier/bin/prettier.cjs', '--check', file).status).toBe(0);

    for (const words of [['--openapi', 'acme.json'], ['--openapi'], ['acme', '--openapi', 'package.json']]) {
      const refused = make(...words);
      expect([words, refused.status, refused.stderr.trim().split('\n')]).toEqual([words, 1, [expect.any(String)]]);
    }
  }, 60_000);

  it('changes nothing when the id is taken or invalid', () => {
    const before = readFileSync(join(copy, 'src/integrations/integration-registry.ts'), 'utf8');
    for (const words of [[], ['Acme'], ['acme-books'], ['../x'], ['stripe'], ['shared'], ['acme', "Acme's"]]) {
      const { status, stderr } = make(...words);
      expect([words, status, stderr.trim()]).toEqual([words, 1, expect.stringMatching(/\S/)]);
    }
    expect(readFileSync(join(copy, 'src/integrations/integration-registry.ts'), 'utf8')).toBe(before);
  });
});
