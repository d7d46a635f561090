import { breakingChanges } from './breaking-changes';

/** The same as JSON without types, so that a test may change any value. */
type TestDocument = ReturnType<typeof JSON.parse>;

const TEXT = JSON.stringify({
  openapi: '3.1.0',
  info: { title: 'Things', version: '1.0.0' },
  paths: {
    '/things/{uuid}': {
      put: {
        operationId: 'updateThing',
        security: [{ token: [] }, { key: [] }],
        parameters: [
          { name: 'uuid', in: 'path', required: true, schema: { type: 'string', format: 'uuid' } },
          { name: 'Lang', in: 'header', schema: { type: 'string', enum: ['en', 'de'] } },
        ],
        requestBody: { content: { 'application/json': { schema: { $ref: '#/components/schemas/ThingRequest' } } } },
        responses: {
          '200': {
            description: 'Yes',
            content: { 'application/json': { schema: { $ref: '#/components/schemas/Thing' } } },
          },
          '404': { description: 'No' },
        },
      },
    },
  },
  webhooks: {
    changed: {
      post: {
        operationId: 'receiveThing',
        parameters: [{ name: 'webhook-id', in: 'header', required: true, schema: { type: 'string' } }],
        requestBody: { content: { 'application/json': { schema: { $ref: '#/components/schemas/Message' } } } },
        responses: { '200': { description: 'Yes' } },
      },
    },
  },
  components: {
    securitySchemes: { key: { type: 'http', scheme: 'bearer' }, token: { type: 'apiKey', in: 'query', name: 'token' } },
    schemas: {
      ThingRequest: {
        type: 'object',
        properties: { tags: { type: 'array', items: { type: 'string' }, maxItems: 10 } },
      },
      Kind: { type: 'string', enum: ['A', 'B'] },
      Thing: {
        type: 'object',
        required: ['size'],
        properties: { kind: { $ref: '#/components/schemas/Kind' }, size: { type: 'integer' } },
      },
      Message: {
        type: 'object',
        required: ['size'],
        properties: { size: { type: 'integer' }, note: { type: 'string' } },
      },
      Unused: { type: 'string' },
    },
  },
});

const put = (document: TestDocument): TestDocument => document.paths['/things/{uuid}'].put;
const schemas = (document: TestDocument): TestDocument => document.components.schemas;

function rules(change: (document: TestDocument) => void): string[] {
  const [before, after] = [JSON.parse(TEXT), JSON.parse(TEXT)];
  change(after);
  return breakingChanges(before, after).map((found) => found.change.split(':')[0]!);
}

describe('breakingChanges', () => {
  it.each<[name: string, rule: string, change: (document: TestDocument) => void]>([
    ['an operation is gone', 'api-path-removed-without-deprecation', (d) => (d.paths = {})],
    ['an operation has another id', 'api-operation-id-removed', (d) => (put(d).operationId = 'changeThing')],
    ['a credential is no longer enough', 'api-security-removed', (d) => (put(d).security = [{ key: [] }])],
    ['a status of an error is gone', 'response-non-success-status-removed', (d) => delete put(d).responses['404']],
    [
      'fewer entries are allowed',
      'request-property-max-items-decreased',
      (d) => (schemas(d).ThingRequest.properties.tags.maxItems = 9),
    ],
    [
      'a value of a parameter is gone',
      'request-parameter-enum-value-removed',
      (d) => put(d).parameters[1].schema.enum.pop(),
    ],
    ['a value of an answer is gone', 'response-property-enum-value-removed', (d) => schemas(d).Kind.enum.pop()],
    [
      'a property of an answer may be null',
      'response-property-became-nullable',
      (d) => (schemas(d).Thing.properties.size.type = ['integer', 'null']),
    ],
    ['a schema is gone', 'schema-removed', (d) => delete schemas(d).Unused],
    ['a message may lack a property', 'response-property-became-optional', (d) => (schemas(d).Message.required = [])],
    [
      'a message may lack a header',
      'response-header-became-optional',
      (d) => (d.webhooks.changed.post.parameters[0].required = false),
    ],
    ['a message is not sent any more', 'api-path-removed-without-deprecation', (d) => (d.webhooks = {})],
  ])('reports that %s', (_, rule, change) => {
    expect(rules(change)).toEqual([rule]);
  });

  it.each<[name: string, change: (document: TestDocument) => void]>([
    ['nothing', () => undefined],
    ['a value of an answer is new', (d) => schemas(d).Kind.enum.push('C')],
    ['a message always has a property', (d) => schemas(d).Message.required.push('note')],
    ['a property of a message is new', (d) => (schemas(d).Message.properties.more = { type: 'string' })],
    ['a header is written in another case', (d) => (put(d).parameters[1].name = 'LANG')],
    [
      'a schema is referenced within allOf',
      (d) => (schemas(d).Thing.properties.kind = { allOf: [{ $ref: '#/components/schemas/Kind' }] }),
    ],
  ])('accepts: %s', (_, change) => {
    expect(rules(change)).toEqual([]);
  });
});
