import { type ApiResponse, findDeviations } from './check-response';

const UUID = '019a9f6e-2c41-7c5e-9d0a-1b7c2f3e4d5a';
const HEADERS = { 'x-request-id': 'req_1', 'content-type': 'application/json; charset=utf-8' };
const answer = (more: Partial<Omit<ApiResponse, 'body'>> & { json?: unknown }): ApiResponse => ({
  method: 'POST',
  path: `/v1/connections/${UUID}/fetch-now`,
  status: 202,
  headers: HEADERS,
  ...more,
  body: Buffer.from(JSON.stringify(more.json ?? { uuid: UUID })),
});
const tooMany = {
  type: 'https://docfetch.test/docs/errors#FETCH_QUOTA_EXCEEDED',
  title: 'Too many requests',
  status: 429,
  code: 'FETCH_QUOTA_EXCEEDED',
  detail: 'You can start at most 5 fetches per hour for each source.',
  request_id: 'req_1',
  errors: [],
};

describe('Validating a response against the OpenAPI document', () => {
  it.each<[string, ApiResponse]>([
    ['an answer that is described', answer({})],
    ['a refusal with its header', answer({ status: 429, headers: { ...HEADERS, 'retry-after': '12' }, json: tooMany })],
    ['a page for people', answer({ method: 'GET', path: '/docs/errors', headers: {}, json: 'page' })],
  ])('finds no deviation in %s', (_, right) => {
    expect(findDeviations(right)).toEqual([]);
  });

  it.each<[string, ApiResponse, RegExp]>([
    ['a property that is not described', answer({ json: { uuid: UUID, secret: 1 } }), /unevaluated/],
    ['a property that is missing', answer({ json: {} }), /required/],
    ['a value of another format', answer({ json: { uuid: 'x' } }), /format/],
    ['a status that is not listed', answer({ status: 200 }), /does not list/],
    ['another media type', answer({ headers: { ...HEADERS, 'content-type': 'text/html' } }), /the document has/],
    [
      'a body where none is described',
      answer({ method: 'PUT', path: `/v1/connections/${UUID}/enable`, status: 204 }),
      /has a body/,
    ],
    ['a missing request id', answer({ headers: { 'content-type': 'application/json' } }), /X-Request-Id/],
    ['a missing header', answer({ status: 429, json: tooMany }), /lacks the header Retry-After/],
    [
      'a wrong header',
      answer({ status: 429, headers: { ...HEADERS, 'retry-after': '0' }, json: tooMany }),
      /Retry-After/,
    ],
    [
      'a code that is not listed',
      answer({
        status: 429,
        headers: { ...HEADERS, 'retry-after': '12' },
        json: { ...tooMany, code: 'OTHER' },
      }),
      /code OTHER/,
    ],
    ['an operation that is not described', answer({ path: '/v1/nowhere' }), /does not know/],
    ['an error body of another kind', answer({ path: '/v1/nowhere', status: 404, json: { error: 'no' } }), /required/],
  ])('finds %s', (_, wrong, what) => {
    expect(findDeviations(wrong).join('\n')).toMatch(what);
  });
});
