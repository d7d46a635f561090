import { breakingChanges } from './compare';
import type { Schema } from './document';

type Change = (document: TestDocument) => void;

/** A small interface: an operation with everything, its schemas, and a message. */
const TEXT = JSON.stringify({
  paths: {
    '/v1/things/{uuid}': {
      put: {
        operationId: 'updateThing',
        security: [{ token: [] }, { key: [] }],
        parameters: [
          { name: 'uuid', in: 'path', required: true, schema: { type: 'string', format: 'uuid' } },
          { name: 'limit', in: 'query', required: false, schema: { type: 'integer', minimum: 1, maximum: 500 } },
          { $ref: '#/components/parameters/Lang' },
        ],
        requestBody: {
          required: true,
          content: { 'application/json': { schema: { $ref: '#/components/schemas/ThingRequest' } } },
        },
        responses: {
          '200': {
            headers: { ETag: { required: true, schema: { type: 'string' } } },
            content: { 'application/json': { schema: { $ref: '#/components/schemas/Thing' } } },
          },
          '404': { content: { 'application/json': { schema: { $ref: '#/components/schemas/Problem' } } } },
        },
      },
      get: { operationId: 'getThing', responses: { '204': {} } },
    },
  },
  webhooks: {
    thing: {
      post: {
        operationId: 'receiveThing',
        parameters: [{ name: 'webhook-id', in: 'header', required: true, schema: { type: 'string' } }],
        requestBody: { content: { 'application/json': { schema: { $ref: '#/components/schemas/Thing' } } } },
        responses: { '200': {} },
      },
    },
  },
  components: {
    parameters: { Lang: { name: 'Lang', in: 'header', schema: { type: 'string', enum: ['en', 'de'] } } },
    schemas: {
      ThingRequest: {
        type: 'object',
        required: ['name'],
        properties: {
          name: { type: 'string', minLength: 1, maxLength: 255 },
          note: { type: ['string', 'null'] },
          kind: { allOf: [{ $ref: '#/components/schemas/Kind' }] },
          tags: { type: 'array', items: { type: 'string' }, maxItems: 10 },
          amount: { type: 'number' },
          values: { type: 'object', additionalProperties: { oneOf: [{ type: 'string' }, { type: 'number' }] } },
        },
      },
      Kind: { type: 'string', enum: ['A', 'B'] },
      Thing: {
        type: 'object',
        required: ['uuid', 'kind', 'parent', 'size'],
        properties: {
          uuid: { type: 'string', format: 'uuid' },
          kind: { allOf: [{ $ref: '#/components/schemas/Kind' }] },
          size: { type: 'integer' },
          parent: { anyOf: [{ $ref: '#/components/schemas/Thing' }, { type: 'null' }] },
          note: { type: 'string' },
          parts: { type: 'array', items: { $ref: '#/components/schemas/Part' } },
        },
      },
      Part: { type: 'object', required: ['id'], properties: { id: { type: 'string' } } },
      Problem: { type: 'object', required: ['code'], properties: { code: { type: 'string' } } },
    },
  },
});

/** The same as JSON without types, so that a change may set any value. */
type TestDocument = ReturnType<typeof JSON.parse>;

const PUT = 'PUT /v1/things/{uuid}';
const put = (document: TestDocument): TestDocument => document.paths['/v1/things/{uuid}'].put;
const property = (document: TestDocument, schema: string): Record<string, Schema> =>
  document.components.schemas[schema].properties;

function changed(change: Change): string[] {
  const [before, after] = [JSON.parse(TEXT), JSON.parse(TEXT)];
  change(after);
  return breakingChanges(before, after).map(({ rule, place }) => `${rule} ${place}`);
}

const BREAKING: [name: string, expected: string[], change: Change][] = [
  [
    'a path is gone',
    ['operation-removed GET /v1/things/{uuid}', 'operation-removed PUT /v1/things/{uuid}'],
    (d) => (d.paths = {}),
  ],
  [
    'an operation is gone',
    ['operation-removed GET /v1/things/{uuid}'],
    (d) => delete d.paths['/v1/things/{uuid}']!.get,
  ],
  ['an operation is called otherwise', [`operation-id-changed ${PUT}`], (d) => (put(d).operationId = 'changeThing')],
  ['a credential is no longer enough', [`security-narrowed ${PUT}`], (d) => (put(d).security = [{ key: [] }])],
  [
    'both credentials are needed',
    [`security-narrowed ${PUT}`, `security-narrowed ${PUT}`],
    (d) => (put(d).security = [{ key: [], token: [] }]),
  ],
  [
    'what was open asks for a credential',
    ['security-narrowed GET /v1/things/{uuid}'],
    (d) => (d.paths['/v1/things/{uuid}']!.get!.security = [{ key: [] }]),
  ],
  ['a status is gone', [`status-removed ${PUT} 404`], (d) => delete put(d).responses['404']],
  [
    'a media type is gone',
    [`response-media-type-removed ${PUT} 404 application/json`],
    (d) => (put(d).responses['404'] = {}),
  ],
  ['a header is gone', [`response-header-removed ${PUT} 200 ETag`], (d) => (put(d).responses['200'].headers = {})],
  [
    'a header may be missing',
    [`response-header-became-optional ${PUT} 200 ETag`],
    (d) => (put(d).responses['200'].headers.ETag.required = false),
  ],
  [
    'a parameter is gone',
    [`parameter-removed ${PUT} query limit`],
    (d) => (put(d).parameters = put(d).parameters!.filter((one: { name?: string }) => one.name !== 'limit')),
  ],
  [
    'a parameter in the path is called otherwise',
    [`parameter-removed ${PUT} path uuid`, `required-parameter-added ${PUT} path id`],
    (d) =>
      (put(d).parameters = [
        { name: 'id', in: 'path', required: true, schema: { type: 'string', format: 'uuid' } },
        ...put(d).parameters!.slice(1),
      ]),
  ],
  [
    'a parameter must be given',
    [`parameter-became-required ${PUT} query limit`],
    (d) => (put(d).parameters[1].required = true),
  ],
  [
    'a new parameter must be given',
    [`required-parameter-added ${PUT} query page`],
    (d) => (put(d).parameters = [...put(d).parameters!, { name: 'page', in: 'query', required: true, schema: {} }]),
  ],
  [
    'a parameter of the whole document is narrowed',
    [`request-enum-value-removed ${PUT} header lang`],
    (d) => (d.components.parameters.Lang!.schema = { type: 'string', enum: ['en'] }),
  ],
  [
    'a limit is lowered',
    [`request-bounds-narrowed ${PUT} query limit`],
    (d) => (put(d).parameters[1].schema = { type: 'integer', minimum: 1, maximum: 100 }),
  ],
  [
    'a limit is new',
    ['request-bounds-narrowed ThingRequest/note'],
    (d) => (property(d, 'ThingRequest').note = { type: ['string', 'null'], maxLength: 9 }),
  ],
  [
    'fewer entries are allowed',
    ['request-bounds-narrowed ThingRequest/tags'],
    (d) => (property(d, 'ThingRequest').tags = { type: 'array', items: { type: 'string' }, maxItems: 9 }),
  ],
  [
    'a pattern is new',
    ['request-pattern-changed ThingRequest/name'],
    (d) => (property(d, 'ThingRequest').name = { type: 'string', minLength: 1, maxLength: 255, pattern: '^a' }),
  ],
  [
    'a format is new in a request',
    ['request-format-changed ThingRequest/name'],
    (d) => (property(d, 'ThingRequest').name = { type: 'string', minLength: 1, maxLength: 255, format: 'uri' }),
  ],
  [
    'a request is of another type',
    ['request-type-changed ThingRequest/name'],
    (d) => (property(d, 'ThingRequest').name = { type: 'boolean' }),
  ],
  [
    'null is no longer accepted',
    ['request-type-changed ThingRequest/note'],
    (d) => (property(d, 'ThingRequest').note = { type: 'string' }),
  ],
  [
    'fractions are no longer accepted',
    ['request-type-changed ThingRequest/amount'],
    (d) => (property(d, 'ThingRequest').amount = { type: 'integer' }),
  ],
  [
    'entries are of another type',
    ['request-type-changed ThingRequest/tags/items'],
    (d) => (property(d, 'ThingRequest').tags = { type: 'array', items: { type: 'number' }, maxItems: 10 }),
  ],
  [
    'values of a map are of fewer types',
    ['request-type-changed ThingRequest/values/*'],
    (d) => (property(d, 'ThingRequest').values = { type: 'object', additionalProperties: { type: 'string' } }),
  ],
  [
    'only certain values are accepted',
    ['request-enum-changed ThingRequest/name'],
    (d) => (property(d, 'ThingRequest').name = { type: 'string', minLength: 1, maxLength: 255, enum: ['x'] }),
  ],
  [
    'a property is no longer accepted',
    ['request-property-removed ThingRequest/note'],
    (d) => delete property(d, 'ThingRequest').note,
  ],
  [
    'a property must be given',
    ['request-property-became-required ThingRequest/note'],
    (d) => d.components.schemas.ThingRequest.required.push('note'),
  ],
  [
    'a new property must be given',
    ['request-required-property-added ThingRequest/extra'],
    (d) => {
      property(d, 'ThingRequest').extra = { type: 'string' };
      d.components.schemas.ThingRequest.required.push('extra');
    },
  ],
  [
    'a body must be sent',
    ['request-body-became-required GET /v1/things/{uuid} request'],
    (d) => (d.paths['/v1/things/{uuid}']!.get!.requestBody = { required: true }),
  ],
  ['a body is no longer taken', [`request-body-removed ${PUT} request`], (d) => delete put(d).requestBody],
  [
    'a value of an enum is gone',
    ['request-enum-value-removed Kind', 'response-enum-value-removed Kind'],
    (d) => (d.components.schemas.Kind.enum = ['A']),
  ],
  ['any value may come', ['response-enum-changed Kind'], (d) => delete d.components.schemas.Kind.enum],
  ['a property is gone', ['response-property-removed Thing/note'], (d) => delete property(d, 'Thing').note],
  [
    'a property deep inside is gone',
    ['response-property-removed Part/id'],
    (d) => {
      delete property(d, 'Part').id;
      d.components.schemas.Part.required = [];
    },
  ],
  [
    'a property may be missing',
    ['response-property-became-optional Thing/size'],
    (d) => (d.components.schemas.Thing.required = ['uuid', 'kind', 'parent']),
  ],
  [
    'a property may be null',
    ['response-type-changed Thing/size'],
    (d) => (property(d, 'Thing').size = { type: ['integer', 'null'] }),
  ],
  [
    'a property may have a fraction',
    ['response-type-changed Thing/size'],
    (d) => (property(d, 'Thing').size = { type: 'number' }),
  ],
  [
    'a property is of another type',
    ['response-type-changed Thing/size', 'response-type-removed Thing/size'],
    (d) => (property(d, 'Thing').size = { type: 'string' }),
  ],
  [
    'a property has another format',
    ['response-format-changed Thing/uuid'],
    (d) => (property(d, 'Thing').uuid = { type: 'string', format: 'uri' }),
  ],
  [
    'a property has lost its format',
    ['response-format-changed Thing/uuid'],
    (d) => (property(d, 'Thing').uuid = { type: 'string' }),
  ],
  [
    'a schema is gone',
    ['schema-removed Part'],
    (d) => {
      property(d, 'Thing').parts = {
        type: 'array',
        items: { type: 'object', required: ['id'], properties: { id: { type: 'string' } } },
      };
      delete d.components.schemas.Part;
    },
  ],
  ['a message is not sent any more', ['message-removed POST thing'], (d) => (d.webhooks = {})],
  [
    'a header of a message is gone',
    ['message-header-removed POST thing header webhook-id'],
    (d) => (d.webhooks.thing.post.parameters = []),
  ],
  [
    'a message carries something else',
    [
      'response-property-removed Thing/uuid',
      'response-property-removed Thing/kind',
      'response-property-removed Thing/size',
      'response-property-removed Thing/parent',
      'response-property-removed Thing/note',
      'response-property-removed Thing/parts',
    ],
    (d) =>
      (d.webhooks.thing.post.requestBody.content['application/json'].schema = { $ref: '#/components/schemas/Problem' }),
  ],
];

const HARMLESS: [name: string, change: Change][] = [
  ['nothing', () => undefined],
  ['an operation is new', (d) => (d.paths['/v1/more'] = { get: { operationId: 'more', responses: {} } })],
  ['a status is new', (d) => (put(d).responses['409'] = {})],
  ['a header is new', (d) => (put(d).responses['200'].headers.More = { schema: { type: 'string' } })],
  [
    'another credential is good too',
    (d) => put(d).security!.length && (put(d).security = [...put(d).security!, { other: [] }]),
  ],
  ['no credential is needed any more', (d) => (put(d).security = [])],
  [
    'a parameter is new',
    (d) => (put(d).parameters = [...put(d).parameters!, { name: 'page', in: 'query', schema: {} }]),
  ],
  ['a header is written in another case', (d) => (d.components.parameters.Lang!.name = 'LANG')],
  [
    'a parameter of the path is called otherwise in the path alone',
    (d) => {
      d.paths['/v1/things/{id}'] = d.paths['/v1/things/{uuid}']!;
      delete d.paths['/v1/things/{uuid}'];
    },
  ],
  ['a limit is raised', (d) => (put(d).parameters[1].schema = { type: 'integer', minimum: 0, maximum: 900 })],
  [
    'a lower limit that was none',
    (d) => (property(d, 'ThingRequest').tags = { type: 'array', items: { type: 'string' }, minItems: 0, maxItems: 10 }),
  ],
  ['a property may be left out', (d) => (d.components.schemas.ThingRequest.required = [])],
  [
    'null is accepted',
    (d) => (property(d, 'ThingRequest').name = { type: ['string', 'null'], minLength: 1, maxLength: 255 }),
  ],
  ['a property is accepted that need not be given', (d) => (property(d, 'ThingRequest').extra = { type: 'string' })],
  ['a property is answered that was not', (d) => (property(d, 'Thing').extra = { type: 'string' })],
  ['a value of an enum is new', (d) => d.components.schemas.Kind.enum.push('C')],
  ['an answer is always there', (d) => d.components.schemas.Thing.required.push('note')],
  [
    'an answer is never null',
    (d) => {
      property(d, 'Thing').parent = { $ref: '#/components/schemas/Thing' };
    },
  ],
  ['a limit in an answer', (d) => (property(d, 'Thing').note = { type: 'string', maxLength: 10 })],
  ['a schema is new', (d) => (d.components.schemas.More = { type: 'string' })],
  [
    'the same is written otherwise',
    (d) => {
      property(d, 'ThingRequest').kind = { $ref: '#/components/schemas/Kind' };
      property(d, 'ThingRequest').note = { anyOf: [{ type: 'string' }, { type: 'null' }] };
    },
  ],
  [
    'another description',
    (d) => ((d.components.schemas.Thing as { description?: string }).description = 'Something else.'),
  ],
];

describe('breakingChanges', () => {
  it.each(BREAKING)('reports that %s', (_, expected, change) => {
    expect(changed(change)).toEqual(expected);
  });

  it.each(HARMLESS)('accepts: %s', (_, change) => {
    expect(changed(change)).toEqual([]);
  });

  it('throws for a reference without a target', () => {
    expect(() => changed((d) => (put(d).responses['404'] = { $ref: '#/components/responses/None' }))).toThrow(
      '#/components/responses/None leads nowhere',
    );
  });
});
