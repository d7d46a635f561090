import type { OpenAPIObject } from '@nestjs/swagger';
import Ajv2020, { type ValidateFunction } from 'ajv/dist/2020';
import addFormats from 'ajv-formats';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ERROR_STATUSES, type ErrorCode } from '../../platform/errors/error-codes';
import { operationsOf, type Parameter, type Response, type Schema } from '../../platform/openapi/openapi-document';

const document = JSON.parse(readFileSync(join(__dirname, '../../../openapi.json'), 'utf8')) as OpenAPIObject;
const operations = operationsOf(document.paths);
const messages = operationsOf(document.webhooks ?? {});
const schemas = document.components!.schemas as Record<string, Schema>;

type Node = Record<string, unknown>;
const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && !Array.isArray(value);

function resolve<T>(node: T | { $ref: string }): T {
  if (!isNode(node) || typeof node.$ref !== 'string') return node as T;
  const names = node.$ref.split('/').slice(1);
  return names.reduce<unknown>((at, name) => (at as Node)[name.replaceAll('~1', '/')], document) as T;
}

/** Every schema anywhere in the document, with its path. */
function* schemasBelow(node: unknown, place: string): Generator<[place: string, schema: Node]> {
  if (Array.isArray(node)) {
    for (const [index, item] of node.entries()) yield* schemasBelow(item, `${place}/${index}`);
  } else if (isNode(node)) {
    if ('type' in node || '$ref' in node || 'oneOf' in node || 'anyOf' in node || 'allOf' in node) yield [place, node];
    for (const [name, value] of Object.entries(node)) {
      if (!['example', 'examples', 'default', 'enum'].includes(name)) yield* schemasBelow(value, `${place}/${name}`);
    }
  }
}

const ajv = new Ajv2020({ strict: false, allErrors: true });
const compiled = new Map<string, ValidateFunction>();
addFormats(ajv);
ajv.addFormat('binary', true);
ajv.addSchema({ $id: 'document', ...document });

/** The reason why a value does not match a schema of the document; null when it does. */
function misfit(schema: object, value: unknown): string | null {
  const text = JSON.stringify(schema).replaceAll('"#/', '"document#/');
  const validate = compiled.get(text) ?? ajv.compile(JSON.parse(text) as object);
  compiled.set(text, validate);
  return validate(value) ? null : ajv.errorsText(validate.errors);
}

const parametersOf = (parameters: readonly unknown[] = []) =>
  parameters.map((parameter) => resolve(parameter as Parameter));
const named = (entries: readonly { path: string; method: string; operation: object }[]) =>
  entries.map((entry) => [`${entry.method.toUpperCase()} ${entry.path}`, entry.operation] as const);

describe('openapi.json', () => {
  it('contains the operations of the API', () => {
    expect(operations.length).toBeGreaterThan(25);
    expect(messages.length).toBeGreaterThan(0);
    expect(Object.keys(schemas).length).toBeGreaterThan(50);
  });

  it('gives every operation a unique name that is suitable for a method', () => {
    const names = [...operations, ...messages].map(({ operation }) => operation.operationId!);
    expect(names.filter((name) => !/^[a-z]+[A-Z]?[A-Za-z0-9]*$/.test(name))).toEqual([]);
    expect(new Set(names).size).toBe(names.length);
  });

  describe.each(named(operations) as [string, (typeof operations)[number]['operation']][])('%s', (name, operation) => {
    const responses = Object.entries(operation.responses) as [string, Response][];
    const isSecured = operation.security!.length > 0;
    const parameters = parametersOf(operation.parameters);

    it('has a description and a tag', () => {
      expect(operation.summary).toMatch(/^[A-Z].*[^.]$/);
      expect(operation.description).toMatch(/^[A-Z`].*\.$/s);
      const tags = document.tags!.map((tag) => tag.name);
      expect(operation.tags).toHaveLength(1);
      expect(tags).toContain(operation.tags![0]);
    });

    it('lists the errors that follow from its credentials, parameters and body', () => {
      const statuses = responses.map(([status]) => status);
      if (isSecured) expect(statuses).toEqual(expect.arrayContaining(['401', '403', '429', '500']));
      if (operation.requestBody) expect(statuses).toEqual(expect.arrayContaining(['413', '422']));
      if (parameters.some((parameter) => parameter.in === 'query')) expect(statuses).toContain('422');
      if (parameters.some((parameter) => parameter.in === 'path')) expect(statuses).toContain('404');
    });

    it('lists the codes of every error, each with the correct status', () => {
      for (const [status, response] of responses.filter(
        ([key]) => Number(key) >= 400 && key !== '416' && key !== '503',
      )) {
        const { schema, examples } = response.content!['application/json']!;
        const codes = Object.keys(examples!);
        expect([status, codes.map((code) => ERROR_STATUSES[code as ErrorCode])]).toEqual([
          status,
          codes.map(() => Number(status)),
        ]);
        expect([status, codes.length]).not.toEqual([status, 0]);
        for (const code of codes) {
          const { value } = resolve(examples![code]!) as { value: Node };
          expect(misfit(schema!, value)).toBeNull();
          expect([value.code, value.status]).toEqual([code, Number(status)]);
          expect(response.description).toContain(`\`${code}\``);
        }
      }
    });

    it('describes every parameter, with a valid example', () => {
      for (const parameter of parameters) {
        expect([parameter.name, parameter.description]).toEqual([parameter.name, expect.stringMatching(/\.$/)]);
        const { example } = parameter as { example?: unknown };
        // Swagger UI would send the `example` of an optional parameter as input.
        const { examples = [] } = parameter.schema as { examples?: unknown[] };
        if (parameter.required !== true) expect([parameter.name, example]).toEqual([parameter.name, undefined]);
        const given = example ?? (parameter.schema as Schema).example ?? examples[0];
        const { type, enum: values } = resolve(parameter.schema) as Schema;
        if (!values) expect([parameter.name, given]).not.toEqual([parameter.name, undefined]);
        expect([parameter.name, type]).not.toEqual([parameter.name, undefined]);
        if (given !== undefined)
          expect([parameter.name, misfit(parameter.schema!, given)]).toEqual([parameter.name, null]);
      }
      if (isSecured) expect(parameters.map((parameter) => parameter.name)).toContain('Lang');
    });

    it('describes every response, with its headers', () => {
      for (const [status, response] of responses) {
        expect([status, response.description]).toEqual([status, expect.stringMatching(/./)]);
        expect(Object.keys(response.headers!)).toContain('X-Request-Id');
        if (status === '429') expect(Object.keys(response.headers!)).toContain('Retry-After');
        for (const [header, described] of Object.entries(response.headers!)) {
          const { description, schema } = resolve(described) as { description?: string; schema?: object };
          expect([header, description]).toEqual([header, expect.stringMatching(/\.$/)]);
          expect([header, schema]).toEqual([header, expect.any(Object)]);
        }
      }
    });

    it('has named schemas for its request and its response', () => {
      const bodies = [operation.requestBody, ...Object.values(operation.responses)] as Response[];
      for (const media of bodies.flatMap((body) =>
        body?.content?.['application/json'] ? [body.content['application/json']] : [],
      )) {
        expect(media.schema).toEqual({ $ref: expect.stringMatching(/^#\/components\/schemas\/\w+$/) });
      }
    });

    // A sign-in sets a cookie, which is not stored to be sent again.
    const isSignIn = name === 'POST /v1/console/session';
    if (name.startsWith('POST ') && !isSignIn && ['201', '202'].some((status) => status in operation.responses)) {
      it('accepts Idempotency-Key, because it creates a resource (decisions 1)', () => {
        expect(parameters.map((parameter) => parameter.name)).toContain('Idempotency-Key');
        expect(operation.responses).toHaveProperty('409');
      });
    }
  });

  it.each(Object.entries(schemas))('describes the schema %s with all its properties', (_, schema) => {
    expect(schema.description).toMatch(/./);
    for (const value of schema.enum ?? []) expect(schema.description).toContain(`\`${value}\``);
    for (const [name, property] of Object.entries(schema.properties ?? {}) as [string, Schema & { $ref?: string }][]) {
      expect([name, property.description]).toEqual([name, expect.stringMatching(/\.$/)]);
      const inner = JSON.stringify(property);
      // Objects and lists of objects have their examples in their own schema.
      const isComposed = inner.includes('"$ref"') && !Object.hasOwn(property, 'example');
      if (!isComposed && property.type !== 'object') {
        expect([name, Object.hasOwn(property, 'example')]).toEqual([name, true]);
      }
    }
  });

  it('has only examples that match their schemas', () => {
    const wrong = [...schemasBelow(document.components!.schemas, 'schemas'), ...schemasBelow(document.paths, 'paths')]
      .filter(([, schema]) => Object.hasOwn(schema, 'example'))
      .map(([place, schema]) => [place, misfit(schema, schema.example)])
      .filter(([, fault]) => fault !== null);
    expect(wrong).toEqual([]);
  });

  it('has only named examples of requests and responses that match their schemas', () => {
    const bodies = operations.flatMap(({ operation }) => [
      [operation.operationId, operation.requestBody as Response] as const,
      ...Object.values(operation.responses).map((response) => [operation.operationId, response as Response] as const),
    ]);
    let count = 0;
    for (const [id, body] of bodies) {
      const media = body?.content?.['application/json'];
      for (const [name, example] of Object.entries(media?.examples ?? {})) {
        const { summary, value } = resolve(example) as { summary?: string; value?: unknown };
        expect([id, name, summary]).toEqual([id, name, expect.stringMatching(/./)]);
        expect([id, name, misfit(media!.schema!, value)]).toEqual([id, name, null]);
        count += 1;
      }
    }
    expect(count).toBeGreaterThan(100);
  });

  it('has an example of every request body', () => {
    // Only the hosted UI sends these: their values are valid once.
    const ofHostedUi = ['resumeUiSession', 'restoreUiSession', 'createPopupSecret', 'redeemPopupSecret'];
    const withoutExample = operations
      .filter(({ operation }) => operation.requestBody && !ofHostedUi.includes(operation.operationId!))
      .filter(({ operation }) => !(operation.requestBody as Response).content!['application/json']!.examples)
      .map(({ operation }) => operation.operationId);
    expect(withoutExample).toEqual([]);
  });

  it('has samples in four languages for every operation that programs call', () => {
    const ofBrowsers = /^\/(oauth|v1\/console)\//;
    for (const { path, operation } of operations.filter((each) => !ofBrowsers.test(each.path))) {
      const samples = (operation as { 'x-codeSamples'?: { lang: string; source: string }[] })['x-codeSamples']!;
      expect([path, samples?.map(({ lang }) => lang)]).toEqual([path, ['Shell', 'TypeScript', 'Python', 'PHP']]);
      expect(samples[1]!.source).toContain(`await ${operation.operationId}({ client`);
      for (const { source } of samples) expect(source).not.toMatch(/undefined|\{\w+\}"/);
    }
  });

  it('documents every error code', () => {
    const everywhere = ['BAD_REQUEST', 'METHOD_NOT_ALLOWED', 'ROUTE_NOT_FOUND']; // requests without an operation
    const documented = Object.keys(document.components!.examples!);
    expect(
      Object.keys(ERROR_STATUSES)
        .filter((code) => !documented.includes(code))
        .sort(),
    ).toEqual(everywhere);
  });

  it('has no unused schema', () => {
    const text = JSON.stringify(document);
    const unused = Object.keys(schemas).filter((name) => !text.includes(`"#/components/schemas/${name}"`));
    expect(unused).toEqual([]);
  });

  it.each(named(messages))('describes the sent message %s', (_, operation) => {
    const { requestBody, parameters, responses, description } = operation as (typeof messages)[number]['operation'];
    expect(description).toMatch(/\.$/);
    expect(Object.keys(responses)[0]).toMatch(/^2(00|XX)$/);
    const headers = parametersOf(parameters).map(({ name }) => name);
    expect(headers).toEqual(expect.arrayContaining(['webhook-id', 'webhook-timestamp', 'webhook-signature']));
    for (const parameter of parametersOf(parameters)) {
      expect(misfit(parameter.schema!, (parameter as { example?: unknown }).example)).toBeNull();
    }
    expect((requestBody as Response).content!['application/json']!.schema).toHaveProperty('$ref');
  });
});
