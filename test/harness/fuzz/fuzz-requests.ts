import fc, { type Arbitrary } from 'fast-check';
import { contractDocument } from '../conformance/contract-document';
import { bodyText, fuzzText, nearly, type Schema } from './fuzz-values';
import type { RawRequest } from './raw-request';

interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly schema?: Schema;
}

/** The part of an operation that requests are generated from. */
export interface FuzzedOperation {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly parameters: readonly Parameter[];
  readonly body: Schema | null;
}

/** Existing values, by the name of their parameter or property. */
export type KnownValues = Readonly<Record<string, readonly unknown[]>>;

type Item = Record<
  string,
  {
    operationId: string;
    parameters?: Parameter[];
    requestBody?: { content: Record<string, { schema?: Schema }> };
  }
>;

const METHODS = ['get', 'post', 'put', 'patch', 'delete'];

/** Every operation of the document; those that delete come last, so that the data of the others still exists. */
export const OPERATIONS: readonly FuzzedOperation[] = Object.entries(contractDocument.paths)
  .flatMap(([path, item]) =>
    METHODS.filter((method) => method in item).map((method) => {
      const { operationId, parameters = [], requestBody } = (item as unknown as Item)[method]!;
      const body = requestBody?.content['application/json']?.schema ?? null;
      return { id: operationId, method: method.toUpperCase(), path, parameters: parameters.map(dereferenced), body };
    }),
  )
  .sort((one, other) => Number(one.method === 'DELETE') - Number(other.method === 'DELETE'));

function dereferenced(parameter: Parameter | { $ref: string }): Parameter {
  if (!('$ref' in parameter)) return parameter;
  const name = parameter.$ref.split('/').at(-1)!;
  return contractDocument.components!.parameters![name] as unknown as Parameter;
}

const resolve = (ref: string): Schema => contractDocument.components!.schemas![ref.split('/').at(-1)!] as Schema;

/** A value encoded for a URL. */
const asText = (value: unknown): string => (typeof value === 'string' ? value : (JSON.stringify(value) ?? ''));

/** Header values that a node:http client can send. */
const SENDABLE_HEADER = /^[\t\x20-\x7e\x80-\xff]*$/;

/**
 * Requests for one operation, from nearly valid to absurd. `known` has existing values for a parameter or property
 * (`uuid` → a connection's), so that generated values reach the code after the first check.
 */
export function requestsFor(
  operation: FuzzedOperation,
  known: KnownValues,
  credentials: readonly Readonly<Record<string, string>>[],
): Arbitrary<RawRequest> {
  return fc.record({
    method: fc.constant(operation.method),
    path: fc.tuple(pathOf(operation, known), queryOf(operation, known)).map(([path, query]) => path + query),
    headers: headersOf(credentials),
    body: operation.body ? bodyText(withKnown(nearly(operation.body, resolve), known)) : fc.constant(null),
  });
}

function pathOf({ path }: FuzzedOperation, known: KnownValues): Arbitrary<string> {
  const segments = path.split('/').map((segment) => {
    const name = /^\{(.+)\}$/.exec(segment)?.[1];
    if (!name) return fc.constant(segment);
    const hostile = fc.oneof(
      fuzzText()
        .filter((text) => text !== '' && text.length < 2000 && text.isWellFormed())
        .map(encodeURIComponent),
      fc.uuid(),
      fc.constantFrom('%', '%E0%A4%A', '%00', '%2e%2e%2f', '.', '..', '%F0%9F', 'x'.repeat(4000)),
    );
    const real = known[name];
    return real
      ? fc.oneof({ weight: 5, arbitrary: fc.constantFrom(...real).map(String) }, { weight: 1, arbitrary: hostile })
      : hostile;
  });
  return fc.tuple(...segments).map((parts) => parts.join('/'));
}

function queryOf({ parameters }: FuzzedOperation, known: KnownValues): Arbitrary<string> {
  const named = parameters.filter((parameter) => parameter.in === 'query');
  const value = (parameter?: Parameter) =>
    fc.oneof(
      ...(parameter && known[parameter.name] ? [fc.constantFrom(...known[parameter.name]!).map(asText)] : []),
      parameter?.schema ? nearly(parameter.schema, resolve).map(asText) : fuzzText(),
      fuzzText(),
    );
  const pair = fc
    .oneof(
      ...named.map((parameter) => fc.tuple(fc.constant(parameter.name), value(parameter))),
      fc.tuple(fuzzText(), fuzzText()),
    )
    .filter(([name, text]) => name.length + text.length < 4000 && name.isWellFormed() && text.isWellFormed())
    .map(([name, text]) => `${encodeURIComponent(name)}=${encodeURIComponent(text)}`);
  const odd = fc.constantFrom(
    'a[]=1',
    'limit[$gt]=1',
    'limit=1&limit=2',
    '__proto__[a]=1',
    '&&==',
    '%',
    'cursor=%ff',
    '?',
  );
  return fc
    .array(fc.oneof({ weight: 6, arbitrary: pair }, { weight: 1, arbitrary: odd }), { maxLength: 4 })
    .map((pairs) => (pairs.length > 0 ? `?${pairs.join('&')}` : ''));
}

function headersOf(credentials: readonly Readonly<Record<string, string>>[]): Arbitrary<Record<string, string>> {
  const text = fuzzText().filter((value) => SENDABLE_HEADER.test(value) && value.length < 2000);
  const optional = fc.record(
    {
      Lang: fc.oneof(fc.constantFrom('en', 'de', 'DE', 'xx'), text),
      'Accept-Language': fc.oneof(fc.constantFrom('de-AT,en;q=0.5', '*', ';q=', 'de;q=9'), text),
      'Idempotency-Key': fc.oneof(fc.uuid(), text),
      'X-Request-Id': text,
      Accept: fc.constantFrom('application/octet-stream', 'text/html', '*/*', 'application/json;q=0', '/'),
      'Content-Type': fc.constantFrom(
        'application/json',
        'text/plain',
        'application/json; charset=utf-16',
        'a/b; c',
        'x',
      ),
      'Content-Encoding': fc.constantFrom('gzip', 'identity', 'br', 'nonsense'),
      Range: fc.constantFrom(
        'bytes=0-0',
        'bytes=-1',
        'bytes=9-1',
        'bytes=0-0,2-2',
        'x=1',
        'bytes=99999999999999999999-',
      ),
      'If-None-Match': text,
      'If-Range': text,
    },
    { requiredKeys: [] },
  );
  const kept = fc.constantFrom(...credentials.map((one) => ({ 'Content-Type': 'application/json', ...one })));
  const broken = fc.record({ 'X-API-KEY': text, 'X-TOKEN': text }, { requiredKeys: [] });
  return fc.oneof(
    { weight: 6, arbitrary: kept },
    { weight: 4, arbitrary: fc.tuple(kept, optional).map(([one, other]) => ({ ...one, ...other })) },
    { weight: 1, arbitrary: fc.tuple(optional, broken).map(([one, other]) => ({ ...one, ...other })) },
  );
}

/** Replaces some generated values by existing ones of the same name. */
function withKnown(body: Arbitrary<unknown>, known: KnownValues): Arbitrary<unknown> {
  return fc.tuple(body, fc.nat(), fc.boolean()).map(([value, pick, replace]) => {
    if (!replace || typeof value !== 'object' || value === null || Array.isArray(value)) return value;
    return Object.fromEntries(
      Object.entries(value).map(([name, member]) => {
        const real = known[name];
        return [name, real ? real[pick % real.length] : member];
      }),
    );
  });
}
