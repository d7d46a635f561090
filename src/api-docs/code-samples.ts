import type { OpenAPIObject } from '@nestjs/swagger';
import { type Method, operationsOf, type Response } from '../platform/openapi/openapi-document';
import { php, python } from './plain-http-samples';
import { credentialOf, pathOf, type SampleCall, sampleCall, variableOf } from './sample-call';

/** An entry of `x-codeSamples`, which Redoc, Scalar, other OpenAPI tools and our Swagger page display. */
export interface CodeSample {
  readonly lang: 'Shell' | 'TypeScript' | 'Python' | 'PHP';
  readonly label: string;
  readonly source: string;
}

/** The path prefixes of operations that browsers call, not programs. */
const FOR_BROWSERS = ['/oauth/', '/v1/console/'];
const METHODS_WITHOUT_NAME: readonly Method[] = ['get'];

/** Adds a sample in each language to every operation that programs call. */
export function addCodeSamples(document: OpenAPIObject): void {
  for (const { path, method, operation } of operationsOf(document.paths)) {
    if (FOR_BROWSERS.some((prefix) => path.startsWith(prefix))) continue;
    const call = sampleCall(path, method, operation, document);
    const samples: CodeSample[] = [
      { lang: 'Shell', label: 'curl', source: curl(call) },
      { lang: 'TypeScript', label: 'TypeScript', source: typeScript(call) },
      { lang: 'Python', label: 'Python', source: python(call) },
      { lang: 'PHP', label: 'PHP', source: php(call) },
    ];
    Object.assign(operation, { 'x-codeSamples': samples });
  }
}

function curl(call: SampleCall): string {
  const { method, operation, body } = call;
  const credential = credentialOf(operation);
  const verb =
    METHODS_WITHOUT_NAME.includes(method) || (method === 'post' && body !== undefined)
      ? ''
      : ` -X ${method.toUpperCase()}`;
  const lines = [
    `curl${verb} "$DOCFETCH_URL${pathOf(call)}"`,
    ...(credential ? [`-H "${credential}: $${variableOf(credential)}"`] : []),
    ...(body === undefined
      ? []
      : ['-H "Content-Type: application/json"', `-d '${JSON.stringify(body).replaceAll("'", String.raw`'\''`)}'`]),
  ];
  return lines.join(' \\\n  ');
}

function typeScript({ operation, parameters, body }: SampleCall): string {
  const credential = credentialOf(operation);
  const name = operation.operationId!;
  const path = parameters.filter((parameter) => parameter.in === 'path');
  const query = parameters.filter((parameter) => parameter.in === 'query');
  const option = credential === 'X-API-KEY' ? 'apiKey' : 'token';
  const options = [
    'baseUrl: process.env.DOCFETCH_URL!',
    ...(credential ? [`${option}: process.env.${variableOf(credential)}!`] : []),
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
    `const client = createDocfetch({ ${options.join(', ')} });`,
    `${answers ? 'const answer = ' : ''}await ${name}({ ${input.join(', ')} });`,
    ...(answers ? ['console.log(answer);'] : []),
  ].join('\n');
}

const asObject = (parameters: SampleCall['parameters']) =>
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
