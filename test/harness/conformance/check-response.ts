import { type DescribedResponse, operationOf, type Operation } from './contract-document';
import { schemaViolations } from './closed-schemas';

/** The response of the service. */
export interface ApiResponse {
  readonly method: string;
  readonly path: string;
  readonly status: number;
  readonly headers: Readonly<Record<string, string | undefined>>;
  /** Null when it was too large to be stored, or not JSON. */
  readonly body: Buffer | null;
}

/** HTML pages, images, and the document itself. */
const NOT_THE_API =
  /^\/(docs(\/|$)|guides(\/|$)|console(\/|$)|llms(-full)?\.txt$|hashmap\.json$|logos\/|connect\/v1\.js$|ui(\/|$)|sandbox\/authorize$|openapi\.(json|yaml)$|$)/;
/** Forms of HTML pages whose URL is an operation with another method. */
const FORMS = ['POST /oauth/start'];
/** For operators, so not part of the clients' document. */
const METRICS = '/metrics';
const KINDS: Readonly<Record<number, string>> = {
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'NotFound',
  500: 'Internal',
};

/** Validates a response against the document: status, headers, media type, body. Returns every deviation. */
export function findDeviations(answer: ApiResponse): string[] {
  if (NOT_THE_API.test(answer.path)) return [];
  if (answer.method === 'OPTIONS' || FORMS.includes(`${answer.method} ${answer.path}`)) return [];
  const missing = answer.headers['x-request-id'] ? [] : ['has no X-Request-Id'];
  const operation = operationOf(answer.method === 'HEAD' ? 'GET' : answer.method, answer.path);
  return [...missing, ...(operation ? byOperation(answer, operation) : undocumentedViolations(answer))];
}

/** Requests outside the document get one of the five error bodies. */
function undocumentedViolations({ method, path, status, body }: ApiResponse): string[] {
  if (status === 200 && path === METRICS) return [];
  if (status < 400) return [`answers ${status}, and the document does not know the operation`];
  if (method === 'HEAD') return [];
  return schemaViolations(['components', 'schemas', `${KINDS[status] ?? 'Validation'}Error`], parsed(body));
}

function byOperation(answer: ApiResponse, operation: Operation): string[] {
  const described = operation.responses[answer.status];
  if (!described) return [`answers ${answer.status}, which the document does not list`];
  return [...headerViolations(answer, operation, described), ...bodyViolations(answer, operation, described)];
}

function headerViolations(answer: ApiResponse, operation: Operation, { headers = {} }: DescribedResponse): string[] {
  return Object.entries(headers).flatMap(([name, header]) => {
    const value = answer.headers[name.toLowerCase()];
    if (value === undefined) return header.required ? [`lacks the header ${name}`] : [];
    if (!header.schema) return [];
    const type = (header.schema as { type?: string }).type;
    const typed =
      type === 'integer' || type === 'number' ? Number(value) : type === 'boolean' ? value === 'true' : value;
    const place = [...responsePlace(operation, answer.status), 'headers', name, 'schema'];
    return schemaViolations(place, typed).map((fault) => `has a header ${name} that is wrong: ${fault}`);
  });
}

function bodyViolations(answer: ApiResponse, operation: Operation, { content = {} }: DescribedResponse): string[] {
  const sent = answer.headers['content-type']?.split(';')[0];
  if (Object.keys(content).length === 0) {
    return answer.body?.length ? [`has a body, and the document knows none for ${answer.status}`] : [];
  }
  if (sent === undefined || !(sent in content))
    return [`is ${sent}, the document has ${Object.keys(content).join(', ')}`];
  if (sent !== 'application/json' || answer.method === 'HEAD' || answer.body === null) return [];
  const place = [...responsePlace(operation, answer.status), 'content', sent, 'schema'];
  const body = parsed(answer.body);
  if (operation.acceptsKey && isForConsole(body)) return schemaViolations(place, body);
  return [...schemaViolations(place, body), ...codeViolations(answer.status, body, content[sent]!.examples)];
}

/** The description of the tag `Console` names them once for all operations of clients, which never get them. */
const OF_CONSOLE = [
  'INVALID_SESSION',
  'INVALID_CSRF_TOKEN',
  'NOT_YOUR_ENVIRONMENT',
  'ORIGIN_NOT_ALLOWED',
  'NO_API_KEY',
];
const isForConsole = (body: unknown) => OF_CONSOLE.includes((body as { code?: string }).code ?? '');

/** The document gives an example for each error code of an operation, and client code relies on the examples. */
function codeViolations(status: number, body: unknown, examples: object | undefined): string[] {
  if (status < 400 || !examples) return [];
  const { code } = body as { code?: string };
  return code !== undefined && code in examples ? [] : [`has the code ${code}, which the document does not list here`];
}

const responsePlace = ({ path, method }: Operation, status: number) => [
  'paths',
  path,
  method,
  'responses',
  String(status),
];

function parsed(body: Buffer | null): unknown {
  try {
    return JSON.parse(String(body));
  } catch {
    return `no JSON: ${String(body).slice(0, 100)}`;
  }
}
