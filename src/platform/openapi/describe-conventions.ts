import type { OpenAPIObject } from '@nestjs/swagger';
import { SESSION_SCHEMES } from '../http/access/access.decorator';
import { CHALLENGES, VARY } from '../http/headers/response-headers';
import { DEPRECATION_EXTENSION, type DescribedDeprecation } from '../http/headers/deprecation';
import { LOCATION_EXTENSION } from '../http/headers/location-header';
import { LANGUAGES } from '../i18n/lang';
import {
  type Header,
  isRef,
  type Operation,
  operationsOf,
  type Parameter,
  type Response,
  type Schema,
} from './openapi-document';

const REQUEST_ID: Header = {
  description:
    'The id of this request, for your logs and for support requests. An id that you send is used if it consists of at most 64 letters, digits, `_` and `-`.',
  required: true,
  schema: { type: 'string', pattern: '^[A-Za-z0-9_-]{1,64}$' },
  example: 'req_4TqRZkq9mC0yXc6x3WnB',
};

const LANG: Parameter = {
  name: 'Lang',
  in: 'header',
  required: false,
  description:
    'The language of messages, labels and help texts. Without it, `Accept-Language` is used, then English; an unknown language is treated as English.',
  schema: { type: 'string', enum: [...LANGUAGES], default: 'en' },
  example: 'de',
};

const ENVIRONMENT: Parameter = {
  name: 'X-ENVIRONMENT',
  in: 'header',
  required: false,
  description: 'The environment of the request, for the role `SUPPORT`; by default that of the session.',
  schema: { type: 'string', format: 'uuid', example: '019a9f6e-2c41-7c5e-9d0a-1b7c2f3e4d5a' },
};

const text = (description: string, example: string, required = false): Header => ({
  description,
  required,
  schema: { type: 'string' },
  example,
});

/** Headers of all responses to requests with credentials (decisions 1). */
const AUTHENTICATED_HEADERS: Readonly<Record<string, Header>> = {
  'Cache-Control': text('Caches must not store the response.', 'private, no-store'),
  Vary: text('The request headers that the response depends on.', VARY),
  'Content-Language': text('The language of messages and labels.', 'en'),
  'RateLimit-Policy': text(
    'Each applied limit: the number of requests (`q`) per window in seconds (`w`). As in draft-ietf-httpapi-ratelimit-headers-10.',
    '"key";q=600;w=60',
  ),
  RateLimit: text(
    'The remaining requests of each limit (`r`), and the seconds until another one is available (`t`).',
    '"key";r=598;t=60',
  ),
};
const LOCATION: Header = {
  description: 'The path of the created or queued resource, relative to the URL of the request.',
  required: true,
  schema: { type: 'string', format: 'uri-reference' },
  example: '/v1/connections/019a9f6e-2c41-7c5e-9d0a-1b7c2f3e4d5a',
};
const WWW_AUTHENTICATE = text('The two ways to authenticate.', CHALLENGES, true);

/** Adds the common parts of all operations (decisions 1): language, request id, and the security of public operations. */
export function describeConventions(document: OpenAPIObject): void {
  const components = document.components!;
  components.headers = {
    ...components.headers,
    'X-Request-Id': REQUEST_ID,
    ...AUTHENTICATED_HEADERS,
    'WWW-Authenticate': WWW_AUTHENTICATE,
    Location: LOCATION,
  };
  components.parameters = { ...components.parameters, Lang: LANG, 'X-ENVIRONMENT': ENVIRONMENT };
  for (const { operation } of operationsOf(document.paths)) {
    operation.security ??= [];
    if (operation.security.length > 0) {
      operation.parameters = [...(operation.parameters ?? []), { $ref: '#/components/parameters/Lang' }];
    }
    if (operation.security.some((scheme) => SESSION_SCHEMES.csrfToken in scheme)) {
      operation.parameters = [...(operation.parameters ?? []), { $ref: '#/components/parameters/X-ENVIRONMENT' }];
    }
    for (const parameter of operation.parameters ?? []) {
      if (!isRef(parameter) && parameter.in === 'path') completePathParameter(parameter);
    }
    const ofAll = ['X-Request-Id', ...(operation.security.length > 0 ? Object.keys(AUTHENTICATED_HEADERS) : [])];
    const isLocated = LOCATION_EXTENSION in operation;
    if (isLocated) delete (operation as { [LOCATION_EXTENSION]?: true })[LOCATION_EXTENSION];
    const deprecated = describeDeprecation(operation);
    for (const [status, response] of Object.entries(operation.responses) as [string, Response][]) {
      if (isRef(response)) continue;
      const names = [
        ...ofAll,
        ...(status === '401' ? ['WWW-Authenticate'] : []),
        ...(isLocated && ['201', '202'].includes(status) ? ['Location'] : []),
      ];
      const shared = names.map((name) => [name, { $ref: `#/components/headers/${name}` }] as const);
      response.headers = { ...Object.fromEntries(shared), ...deprecated, ...response.headers };
    }
  }
}

/** Marks an operation with `@DeprecatedSince` as deprecated. Returns the headers of its responses. */
function describeDeprecation(operation: Operation & { [DEPRECATION_EXTENSION]?: DescribedDeprecation }) {
  const deprecation = operation[DEPRECATION_EXTENSION];
  if (!deprecation) return {};
  delete operation[DEPRECATION_EXTENSION];
  const { since, sunset, successor } = deprecation;
  const until = `Deprecated since ${since.slice(0, 10)}; it is removed after ${sunset.slice(0, 10)}.`;
  const instead = successor === null ? '' : ` Use \`${successor}\` instead.`;
  operation.deprecated = true;
  operation.description = [`**${until}**${instead}`, operation.description].filter(Boolean).join('\n\n');
  const link = text('The successor (RFC 8288).', `<${successor}>; rel="successor-version"`, true);
  return {
    Deprecation: text('Since when the operation is deprecated (RFC 9745).', `@${Date.parse(since) / 1000}`, true),
    Sunset: text('When the operation is removed at the earliest (RFC 8594).', new Date(sunset).toUTCString(), true),
    ...(successor !== null && { Link: link }),
  };
}

/** Adds the type of path parameters that are read by guards, which @nestjs/swagger cannot infer. */
function completePathParameter(parameter: Parameter): void {
  const schema: Schema = { type: 'string', ...parameter.schema };
  parameter.schema = schema;
  if (schema.format === 'uuid') parameter.example ??= '019a9f6e-2c41-7c5e-9d0a-1b7c2f3e4d5a';
}

/** Sorts operations by tag, so that a new one changes the document in only one place. */
export function sortPaths(document: OpenAPIObject): void {
  const tags = (document.tags ?? []).map(({ name }) => name);
  const place = (path: string) => {
    const [first] = operationsOf({ [path]: document.paths[path]! });
    return tags.indexOf(first?.operation.tags?.[0] ?? '');
  };
  const paths = Object.keys(document.paths).sort((a, b) => place(a) - place(b) || (a < b ? -1 : 1));
  document.paths = Object.fromEntries(paths.map((path) => [path, document.paths[path]!]));
}
