import type { OpenAPIObject } from '@nestjs/swagger';
import { sample } from 'openapi-sampler';
import {
  isRef,
  type Method,
  type Operation,
  operationsOf,
  type Parameter,
  type Response,
} from '../platform/openapi/openapi-document';

/** An entry of `x-codeSamples`, which Redoc, Scalar, other OpenAPI tools and our Swagger page display. */
export interface CodeSample {
  readonly lang: 'Shell' | 'TypeScript';
  readonly label: string;
  readonly source: string;
}

/** The path prefix of operations that browsers call, not programs. */
const FOR_BROWSERS = '/oauth/';
const METHODS_WITHOUT_NAME: readonly Method[] = ['get'];

/** Adds a curl and a TypeScript sample to every operation that programs call. */
export function addCodeSamples(document: OpenAPIObject): void {
  for (const { path, method, operation } of operationsOf(document.paths)) {
    if (path.startsWith(FOR_BROWSERS)) continue;
    const call = {
      path,
      method,
      operation,
      parameters: neededParameters(operation),
      body: bodyOf(operation, document),
    };
    const samples: CodeSample[] = [
      { lang: 'Shell', label: 'curl', source: curl(call) },
      { lang: 'TypeScript', label: 'TypeScript', source: typeScript(call) },
    ];
    Object.assign(operation, { 'x-codeSamples': samples });
  }
}

interface Call {
  readonly path: string;
  readonly method: Method;
  readonly operation: Operation;
  readonly parameters: readonly (Parameter & { example?: unknown })[];
  readonly body: unknown;
}

const neededParameters = ({ parameters = [] }: Operation) =>
  parameters
    .filter((parameter): parameter is Parameter => !isRef(parameter) && parameter.required === true)
    .map((parameter) => ({ ...parameter, example: exampleOf(parameter) }));

const exampleOf = ({ example, schema }: Parameter & { example?: unknown }): unknown =>
  example ?? (schema as { example?: unknown } | undefined)?.example;

/** The first named example, which Swagger UI offers; otherwise a body built from the schema's examples. */
function bodyOf({ requestBody }: Operation, document: OpenAPIObject): unknown {
  const media = (requestBody as Response | undefined)?.content?.['application/json'];
  if (!media) return undefined;
  const [first] = Object.values(media.examples ?? {}) as { value?: unknown }[];
  return first?.value ?? sample(media.schema as object, { quiet: true }, document);
}

/** The credential header of a sample: the key if the operation accepts it. */
function credentialOf({ security = [] }: Operation): 'X-API-KEY' | 'X-TOKEN' | null {
  const names = security.flatMap((scheme) => Object.keys(scheme));
  if (names.includes('X-API-KEY')) return 'X-API-KEY';
  return names.includes('X-TOKEN') ? 'X-TOKEN' : null;
}

function curl({ path, method, operation, parameters, body }: Call): string {
  const credential = credentialOf(operation);
  const address = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => exampleIn(parameters, name));
  const verb =
    METHODS_WITHOUT_NAME.includes(method) || (method === 'post' && body !== undefined)
      ? ''
      : ` -X ${method.toUpperCase()}`;
  const lines = [
    `curl${verb} "$DOCFETCH_URL${address}"`,
    ...(credential ? [`-H "${credential}: $${credential === 'X-API-KEY' ? 'API_KEY' : 'TOKEN'}"`] : []),
    ...(body === undefined
      ? []
      : ['-H "Content-Type: application/json"', `-d '${JSON.stringify(body).replaceAll("'", String.raw`'\''`)}'`]),
  ];
  return lines.join(' \\\n  ');
}

function typeScript({ operation, parameters, body }: Call): string {
  const credential = credentialOf(operation);
  const name = operation.operationId!;
  const path = parameters.filter((parameter) => parameter.in === 'path');
  const query = parameters.filter((parameter) => parameter.in === 'query');
  const options = [
    ...(credential === 'X-API-KEY' ? ['apiKey: process.env.DOCFETCH_API_KEY!'] : []),
    ...(credential === 'X-TOKEN' ? ['token: process.env.DOCFETCH_UI_TOKEN!'] : []),
  ];
  const input = [
    'client',
    ...(path.length > 0 ? [`path: ${literal(asObject(path))}`] : []),
    ...(query.length > 0 ? [`query: ${literal(asObject(query))}`] : []),
    ...(body === undefined ? [] : [`body: ${literal(body)}`]),
  ];
  const answers = Object.entries(operation.responses).some(
    ([status, response]) => status.startsWith('2') && (response as Response).content !== undefined,
  );
  return [
    `import { createDocfetch, ${name} } from '@docfetch/sdk';`,
    '',
    `const client = createDocfetch({ ${["baseUrl: 'https://docfetch.example.com'", ...options].join(', ')} });`,
    `${answers ? 'const answer = ' : ''}await ${name}({ ${input.join(', ')} });`,
    ...(answers ? ['console.log(answer);'] : []),
  ].join('\n');
}

const exampleIn = (parameters: Call['parameters'], name: string) =>
  String(parameters.find((parameter) => parameter.name === name)?.example ?? `{${name}}`);

const asObject = (parameters: Call['parameters']) =>
  Object.fromEntries(parameters.map(({ name, example }) => [name, example]));

/** JSON in TypeScript notation: names without quotes, strings in single quotes. */
function literal(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(literal).join(', ')}]`;
  if (typeof value === 'string') return `'${value.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
  if (typeof value !== 'object' || value === null) return String(value);
  const members = Object.entries(value).map(
    ([name, member]) => `${/^\w+$/.test(name) ? name : literal(name)}: ${literal(member)}`,
  );
  return members.length > 0 ? `{ ${members.join(', ')} }` : '{}';
}
