import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const ROOT = join(__dirname, '../..');

interface Parameter {
  readonly key: string;
  readonly value: string;
  readonly disabled?: boolean;
}
interface Request {
  readonly method: string;
  readonly url: { readonly path: string[]; readonly query: Parameter[]; readonly variable: Parameter[] };
  readonly header: Parameter[];
  readonly body?: { readonly raw: string };
  readonly auth: { readonly type: string; readonly apikey?: Parameter[] };
}
interface Collection {
  readonly item: readonly { readonly name: string; readonly item: readonly { readonly request: Request }[] }[];
  readonly variable: readonly Parameter[];
}
interface OpenApi {
  readonly paths: Record<string, Record<string, { security?: object[]; requestBody?: object }>>;
}

describe('The Postman collection', () => {
  let folder: string;
  let requests: Request[];
  let collection: Collection;
  const { paths } = JSON.parse(readFileSync(join(ROOT, 'openapi.json'), 'utf8')) as OpenApi;

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'docfetch-postman-'));
    const file = join(folder, 'collection.json');
    execFileSync(process.execPath, ['tools/postman/main.mjs', file], { cwd: ROOT });
    collection = JSON.parse(readFileSync(file, 'utf8')) as Collection;
    requests = collection.item.flatMap(({ item }) => item.map(({ request }) => request));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  const operationOf = ({ method, url }: Request) => {
    const path = `/${url.path.map((part) => part.replace(/^:(.*)$/, '{$1}')).join('/')}`;
    return `${method} ${path}`;
  };

  it('has one request for each operation of the document', () => {
    const operations = Object.entries(paths).flatMap(([path, methods]) =>
      ['get', 'put', 'post', 'delete', 'patch']
        .filter((method) => method in methods)
        .map((method) => `${method.toUpperCase()} ${path}`),
    );
    expect(requests.map(operationOf).sort()).toEqual(operations.sort());
  });

  it('sends the API key where it is accepted, the token elsewhere, and neither to public operations', () => {
    for (const request of requests) {
      const [method, path] = operationOf(request).split(' ') as [string, string];
      const accepted = (paths[path]![method.toLowerCase()]!.security ?? []).flatMap(Object.keys);
      const sent = request.auth.apikey?.map(({ value }) => value) ?? [];
      if (accepted.includes('X-API-KEY')) expect(sent).toEqual(['X-API-KEY', '{{api_key}}', 'header']);
      else if (accepted.includes('X-TOKEN')) expect(sent).toEqual(['X-TOKEN', '{{token}}', 'header']);
      else expect(request.auth).toEqual({ type: 'noauth' });
    }
    expect(collection.variable.filter(({ key }) => key !== 'base_url').map(({ value }) => value)).toEqual(['', '']);
  });

  it('has examples instead of placeholders, and sends no optional parameters', () => {
    for (const { url, header, body } of requests) {
      const parameters = [...url.query, ...url.variable, ...header];
      expect(parameters.filter(({ value }) => value === '' || /[<>]/.test(value))).toEqual([]);
      expect(url.variable.filter(({ disabled }) => disabled)).toEqual([]);
      expect(header.filter(({ key, disabled }) => key === 'Lang' && !disabled)).toEqual([]);
      if (body) expect(() => void JSON.parse(body.raw)).not.toThrow();
    }
  });
});
