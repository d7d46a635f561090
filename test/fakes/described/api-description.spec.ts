import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { ApiDescription } from './api-description';
import { type Json, pointed } from './strict-schemas';

const ITEM = {
  type: 'object',
  required: ['id'],
  properties: {
    id: { type: 'integer', format: 'int64' },
    date: { type: 'string', format: 'date', 'x-nullable': true },
    made: { type: 'string', format: 'date-time', example: '2019-02-01 11:16:52' },
    kind: { type: 'string', enum: ['a', 'b'], nullable: true },
  },
};
const list = (reference: string) => ({
  allOf: [
    { type: 'object', properties: { total: { type: 'integer' } } },
    { properties: { items: { type: 'array', items: { $ref: reference } } } },
  ],
});
const PARAMETERS = [
  { name: 'kind', in: 'query', description: 'Several are separated by a comma.', schema: { enum: ['a', 'b'] } },
  { name: 'page', in: 'query', schema: { type: 'object', properties: { size: { type: 'integer', maximum: 9 } } } },
  { name: 'date', in: 'query', description: 'Or `date[GT]=…`.', schema: { type: 'string', format: 'date' } },
  { name: 'of', in: 'query', schema: { type: 'array', items: { type: 'string', enum: ['x', 'y'] } } },
  { name: 'X-Tenant', in: 'header', required: true, schema: { type: 'string' } },
  { name: 'year', in: 'query', required: true, schema: { type: 'integer' } },
];
const openApi = new ApiDescription({
  openapi: '3.0.3',
  paths: {
    '/items/{id}': { get: { responses: { default: { description: 'Any.' } } } },
    '/items/all': {
      get: {
        parameters: PARAMETERS,
        responses: { 200: { content: { 'application/json': { schema: list('#/components/schemas/Item') } } } },
      },
    },
  },
  components: { schemas: { Item: ITEM } },
});
const swagger = new ApiDescription({
  swagger: '2.0',
  paths: { '/items/all': { get: { responses: { 200: { schema: list('#/definitions/Item') } } } } },
  definitions: { Item: ITEM },
});

const faults = (by: ApiDescription, answer: unknown, query = '', path = '/items/all', status = 200) =>
  by.violations({
    method: 'GET',
    path,
    query: new URLSearchParams(query),
    headers: { 'x-tenant': 'a' },
    body: undefined,
    status,
    answer,
  });

describe("A provider's own description", () => {
  it.each([
    ['a member that is not described', { total: 1, more: 1 }, 'more'],
    ['one in a list', { items: [{ id: 1, name: 'x' }] }, '/items/0'],
    ['a missing member', { items: [{}] }, "required property 'id'"],
    ['another type', { items: [{ id: '1' }] }, '/items/0/id'],
    ['another form', { items: [{ id: 1, date: '1.2.2026' }] }, '/items/0/date'],
    ['another value', { items: [{ id: 1, kind: 'c' }] }, '/items/0/kind'],
  ])('refuses %s', (_, answer, place) => {
    for (const found of [faults(openApi, answer, 'year=2026'), faults(swagger, answer)]) {
      expect(found).toHaveLength(1);
      expect(found[0]).toContain(place);
    }
  });

  it('accepts what it describes, also null, and what its examples show', () => {
    const item = { id: 1, date: null, made: '2026-02-01 11:16:52', kind: null };
    const answer = { total: 1, items: [item, { ...item, made: '2026-02-01T11:16:52Z' }] };
    expect(faults(swagger, answer)).toEqual([]);
    expect(faults(openApi, answer, 'year=2026&kind=a,b&page[size]=9&date[GT]=2026-01-01&of=x,y')).toEqual([]);
  });

  it('knows paths, parameters and statuses', () => {
    expect(faults(openApi, {}, 'year=2026', '/item')).toEqual(['GET /item: no such operation']);
    expect(faults(openApi, undefined, '', '/items/7')).toEqual([]);
    expect(faults(openApi, undefined, 'a=1', '/items/7')).toEqual([expect.stringContaining('no parameter a')]);
    expect(faults(openApi, {})).toEqual([expect.stringContaining('year is missing')]);
    const exchange = { method: 'GET', path: '/items/all', query: new URLSearchParams('year=1') };
    expect(openApi.violations({ ...exchange, body: undefined, status: 200, answer: {} })).toEqual([
      expect.stringContaining('the header X-Tenant is missing'),
    ]);
    expect(faults(openApi, {}, 'year=last')).toEqual([expect.stringContaining('year=last')]);
    expect(faults(openApi, {}, 'year=1&page[size]=10')).toEqual([expect.stringContaining('page[size]=10')]);
    expect(faults(openApi, {}, 'year=1&page[count]=1')).toEqual([expect.stringContaining('page[count]')]);
    expect(faults(openApi, {}, 'year=1&of=x,z')).toEqual([expect.stringContaining('of=x,z')]);
    expect(faults(openApi, {}, 'year=1&date[LT]=2026-01-01')).toEqual([expect.stringContaining('date[LT]')]);
    expect(faults(openApi, {}, 'year=1', '/items/all', 204)).toEqual([expect.stringContaining('204 is not described')]);
  });
});

const DESCRIPTIONS = join(__dirname, 'descriptions');
const references = (value: unknown): string[] =>
  Object.entries((value ?? {}) as Json).flatMap(([name, member]) =>
    name === '$ref' ? [member as string] : typeof member === 'object' ? references(member) : [],
  );

describe('A description that was written from the documentation of a provider', () => {
  it.each(readdirSync(DESCRIPTIONS))('%s says so, is found, and describes what it refers to', (name) => {
    const document = parse(readFileSync(join(DESCRIPTIONS, name), 'utf8')) as Json & { info: Json };
    expect(document.info['description']).toMatch(
      /^Written for this project from the provider's published documentation/,
    );
    expect(document.info['x-source']).toMatch(/https:\/\//);
    expect(references(document).filter((reference) => pointed(document, reference) === undefined)).toEqual([]);
    const description = ApiDescription.find(name)!;
    const exchange = { method: 'GET', query: new URLSearchParams(), body: undefined, status: 200, answer: undefined };
    expect(description.violations({ ...exchange, path: '/nothing' })).toEqual(['GET /nothing: no such operation']);
  });
});
