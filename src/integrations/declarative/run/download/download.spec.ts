import { ZipFile } from 'yazl';
import { buffer } from 'node:stream/consumers';
import { useDeclaredProvider } from '../../../../../test/harness/declarative/declared-provider';
import { rejectionOf } from '../../../../../test/harness/rejection-of';
import { JsonServer } from '../../../../../test/harness/declarative/json-server';
import type { Integration } from '../../../core/integration';
import {
  AuthorizationRevoked,
  DocumentRefused,
  DocumentUnavailable,
  InvalidCredentials,
  PermissionMissing,
  RateLimited,
  Transient,
  UnexpectedResponse,
} from '../../../core/source-errors';
import { downloadFile } from './download-file';

const provider = useDeclaredProvider();
const PDF = Buffer.from('%PDF-1.7 content');
const DOCUMENT = 'streams.invoice.document';
let storage: JsonServer;

beforeEach(async () => {
  storage = await JsonServer.start();
  storage.answer = () => ({ body: PDF });
});
afterEach(() => storage.stop());

/** Answers the list with one record, and everything else with this. */
function answers(content: JsonServer['answer'], record: object = { id: 1, number: 'R/1' }): void {
  provider.server.answer = (request) =>
    request.path === '/invoices' ? { body: { data: [record] } } : content(request);
}
async function download(integration: Integration) {
  provider.known.clear();
  const { documents } = await provider.listed(integration);
  return provider.read(integration, documents[0]!);
}

describe('The content of a document', () => {
  it('is what the request returns', async () => {
    answers(() => ({ body: PDF }));
    expect(await download(provider.declare())).toEqual({
      text: PDF.toString(),
      filename: 'R/1.pdf',
      mimeType: 'application/pdf',
    });
    expect(provider.server.requests.at(-1)).toMatchObject({
      path: '/invoices/1/pdf',
      headers: { 'x-key': 'Key secret-key' },
    });
  });

  it('is base64 in JSON, with its name and type', async () => {
    const integration = provider.declare({ [DOCUMENT]: { get: '/invoices/{$id}', base64: 'content' } });
    answers(() => ({
      body: { file: { name: 'Rechnung.pdf', mimeType: 'application/pdf', content: PDF.toString('base64') } },
    }));
    expect(await download(integration)).toEqual({
      text: PDF.toString(),
      filename: 'Rechnung.pdf',
      mimeType: 'application/pdf',
    });
  });

  it('is at an address of another host, which is requested just before and gets no key', async () => {
    const integration = provider.declare({
      hosts: 'any',
      [DOCUMENT]: { url: 'links.pdf' },
      'streams.invoice.record': { get: '/invoices/{$id}' },
    });
    answers(() => ({ body: { id: 1, links: { pdf: `${storage.url}/f?sig=1` } } }));
    expect((await download(integration)).text).toBe(PDF.toString());
    expect(provider.server.requests.at(-1)!.path).toBe('/invoices/1');
    expect(storage.requests).toEqual([
      expect.objectContaining({ path: '/f', headers: expect.not.objectContaining({ 'x-key': expect.anything() }) }),
    ]);
  });

  it('is at the address in the answer to a POST, or behind a redirect', async () => {
    const posted = { post: '/invoices.download', safe: true, body: { id: '{$id}' }, url: 'data.location' };
    const integration = provider.declare({ hosts: ['storage.acme.test'], [DOCUMENT]: posted });
    answers(({ body }) => ({ body: { data: { location: `${storage.url}/${(body as { id: string }).id}` } } }));
    expect((await download(integration)).text).toBe(PDF.toString());

    const redirected = provider.declare({ hosts: 'any' });
    answers(() => ({ status: 302, headers: { location: `${storage.url}/behind` } }));
    expect((await download(redirected)).text).toBe(PDF.toString());
    expect(storage.requests.at(-1)!.headers['x-key']).toBeUndefined();
  });

  it('is described by records of the API only, also where redirects lead elsewhere', async () => {
    const integration = provider.declare({
      hosts: 'any',
      [DOCUMENT]: { url: 'pdf' },
      'streams.invoice.record': { get: '/invoices/{$id}' },
    });
    storage.answer = () => ({ body: { id: 1, pdf: `${storage.url}/f` } });
    answers(() => ({ status: 302, headers: { location: `${storage.url}/record` } }));
    expect(await rejectionOf(download(integration))).toBeInstanceOf(UnexpectedResponse);
    expect(storage.requests).toEqual([]);
  });

  it('is not fetched from addresses that the file does not declare or the network guard refuses', async () => {
    const at = { [DOCUMENT]: { url: 'pdf' }, 'streams.invoice.record': { get: '/invoices/{$id}' } };
    for (const url of ['http://10.1.2.3/x', 'ftp://127.0.0.1/', 'file:///etc/passwd', 'x']) {
      answers(() => ({ body: { id: 1, pdf: url } }));
      expect(await rejectionOf(download(provider.declare({ ...at, hosts: 'any' })))).toMatchObject({
        name: 'DocumentUnavailable',
        permanent: false,
      });
    }
    const integration = provider.declare({ ...at, hosts: ['*.acme.test'], base: 'https://api.acme.test' });
    const session = { ...provider.session(integration), apiBaseUrl: 'https://api.acme.test' };
    const base = session.apiBaseUrl;
    const client = { provider: { label: 'Acme', hosts: ['*.acme.test'], base }, session, base };
    expect(String(await rejectionOf(downloadFile(client as never, 'https://evil.test/x', 'x', 'pdf')))).toContain(
      'undeclared host',
    );
  });

  it.each([
    [1, 'application/octet-stream', 'scan 0.pdf'],
    [2, 'application/zip', 'R/1.zip'],
  ])('is in an archive with %d files', async (files, mimeType, filename) => {
    const zip = new ZipFile();
    for (let n = 0; n < files; n++) zip.addBuffer(PDF, `vouchers/scan ${n}.pdf`);
    zip.end();
    const bytes = await buffer(zip.outputStream);
    const integration = provider.declare({ [DOCUMENT]: { get: '/zip/{$id}', base64: 'content', unzip: true } });
    answers(() => ({ body: { content: bytes.toString('base64') } }));
    const document = await download(integration);
    expect(document).toMatchObject({ mimeType, filename });
    if (files === 1) expect(document.text).toBe(PDF.toString());
  });

  it('is unavailable, but not forever, while its archive has no file', async () => {
    const zip = new ZipFile();
    zip.end();
    const bytes = await buffer(zip.outputStream);
    const integration = provider.declare({ [DOCUMENT]: { get: '/zip/{$id}', base64: 'content', unzip: true } });
    answers(() => ({ body: { content: bytes.toString('base64') } }));
    expect(await rejectionOf(download(integration))).toMatchObject({ name: 'DocumentUnavailable', permanent: false });
  });

  it('that is a page, is empty or is no archive fails alone', async () => {
    answers(() => ({ body: { message: 'Sorry' } }));
    expect(await rejectionOf(download(provider.declare()))).toBeInstanceOf(DocumentUnavailable);
    answers(() => ({ body: Buffer.alloc(0) }));
    expect(await rejectionOf(download(provider.declare()))).toBeInstanceOf(DocumentUnavailable);
    answers(() => ({ body: { content: PDF.toString('base64') } }));
    const zipped = provider.declare({ [DOCUMENT]: { get: '/zip', base64: 'content', unzip: true } });
    expect(await rejectionOf(download(zipped))).toBeInstanceOf(UnexpectedResponse);
  });

  it('has the name of a template, and no id leads to another path', async () => {
    answers(() => ({ body: PDF }), { id: '../me?x=/1' });
    expect(await download(provider.declare({ [`${DOCUMENT}.filename`]: 'Beleg {$id}.pdf' }))).toMatchObject({
      filename: 'Beleg ../me?x=/1.pdf',
    });
    expect(provider.server.requests.at(-1)!.path).toBe('/invoices/..%2Fme%3Fx%3D%2F1/pdf');
    answers(() => ({ body: PDF }), { id: '..' });
    expect(await rejectionOf(download(provider.declare()))).toBeInstanceOf(UnexpectedResponse);
  });
});

describe('An error answer', () => {
  const rules = [
    { status: 409, of: 'document', is: 'not_ready' },
    { status: [400, 422], when: 'error.code=quota', is: 'rate_limited', wait: '5m', scope: 'provider' },
    { status: 429, is: 'rate_limited', wait: '20s', wait_header: 'X-Reset', wait_at: 'retry' },
    { status: 451, is: 'refused' },
    { status: 460, is: 'consent' },
  ];
  it.each([
    [401, {}, {}, InvalidCredentials, {}],
    [402, {}, {}, PermissionMissing, {}],
    [403, {}, {}, PermissionMissing, {}],
    [404, {}, {}, DocumentUnavailable, { permanent: true }],
    [409, {}, {}, DocumentUnavailable, { permanent: false }],
    [418, {}, {}, UnexpectedResponse, {}],
    [422, { error: { code: 'quota' } }, {}, RateLimited, { retryAfterSeconds: 300, scope: 'provider' }],
    [422, { error: { code: 'other' } }, {}, UnexpectedResponse, {}],
    [429, {}, {}, RateLimited, { retryAfterSeconds: 20, scope: 'connection' }],
    [429, {}, { 'retry-after': '7' }, RateLimited, { retryAfterSeconds: 7 }],
    [429, {}, { 'x-reset': '12' }, RateLimited, { retryAfterSeconds: 12 }],
    [429, { retry: 33 }, {}, RateLimited, { retryAfterSeconds: 33 }],
    [451, {}, {}, DocumentRefused, {}],
    [460, {}, {}, AuthorizationRevoked, {}],
    [503, {}, {}, Transient, {}],
  ])('%d %j of a document is classified', async (status, body, headers, expected, members) => {
    answers(() => ({ status, body, headers }));
    const error = await rejectionOf(download(provider.declare({ errors: { code: 'error.code', rules } })));
    expect(error).toBeInstanceOf(expected);
    expect(error).toMatchObject(members);
    expect(String(error)).not.toContain('secret-key');
  });

  it('of a list concerns the fetch, and names the code of the provider but no text', async () => {
    provider.server.answer = () => ({ status: 409, body: { error: { code: 'locked', message: 'secret-key' } } });
    const error = await rejectionOf(provider.listed(provider.declare({ errors: { code: 'error.code', rules } })));
    expect(error).toBeInstanceOf(UnexpectedResponse);
    expect((error as Error).message).toBe('Acme answers 409 (locked).');
  });
});

describe('The credentials', () => {
  const field = { label: { en: 'Key', de: 'Schlüssel' } };
  it.each([
    ['in a header', { type: 'api_key', headers: { authorization: '{$api_key}' } }, 'secret-key'],
    [
      'as a user and a password',
      { type: 'basic', user: '{$api_key}', password: 'x' },
      `Basic ${Buffer.from('secret-key:x').toString('base64')}`,
    ],
    [
      'as an access token',
      {
        type: 'oauth2',
        authorize: 'https://acme.test/authorize',
        token: 'https://acme.test/token',
        client_auth: 'post',
        scopes: ['read'],
        scopes_of: { invoice: ['invoices'] },
      },
      'Bearer a token',
    ],
  ])('are sent %s', async (_, auth, expected) => {
    const fields = { api_key: { ...field, secret: true } };
    const integration = provider.declare({ auth: auth.type === 'oauth2' ? auth : { ...auth, fields } });
    answers(() => ({ body: PDF }));
    await download(integration);
    expect(provider.server.requests.map(({ headers }) => headers.authorization)).toEqual([expected, expected]);
    if (!integration.oauth) return;
    expect(integration.authType).toBe('OAUTH2');
    expect(integration.oauth).toMatchObject({ issuer: 'https://acme.test', clientAuth: 'post', scopes: ['read'] });
    expect(integration.oauth.scopesFor!({ kinds: ['invoice'] })).toEqual(['read', 'invoices']);
  });

  it('are sent as a parameter, which no message contains', async () => {
    const auth = { type: 'api_key', query: { key: '{$api_key}' }, fields: { api_key: { ...field, secret: true } } };
    provider.server.answer = () => ({ status: 400 });
    const error = await rejectionOf(provider.listed(provider.declare({ auth })));
    expect(provider.server.requests[0]!.query.get('key')).toBe('secret-key');
    expect(String((error as Error).stack)).not.toContain('secret-key');
  });

  it('identify the account, with the form that the fields require', async () => {
    const fields = {
      api_key: {
        ...field,
        secret: true,
        format: { starts: ['sk_', 'tk-'], characters: 'alphanumeric', min: 2, max: 9 },
      },
      company: { ...field, optional: true },
    };
    const auth = { type: 'api_key', headers: { 'x-key': '{$api_key}' }, fields };
    const account = {
      get: ['/me', '/company'],
      id: 'company.id',
      display: "'Acme' | join $id",
      mode: { field: 'api_key', starts: 'tk-', name: 'test' },
    };
    const integration = provider.declare({ auth, account });
    expect(integration.step1[0]).toMatchObject({ type: 'password', secret: true, max: 12 });
    const form = new RegExp(`^(?:${integration.step1[0]!.pattern})$`, 'u');
    expect(['sk_Ab1', 'tk-Ab', 'sk_a', 'xx_Ab1', 'sk_Ab1!'].map((text) => form.test(text))).toEqual([
      true,
      true,
      false,
      false,
      false,
    ]);
    provider.server.answer = ({ path }) => ({ body: path === '/company' ? { company: { id: 5 } } : {} });
    expect(await integration.check(provider.session(integration, { fields: { api_key: 'sk_Ab1' } }))).toEqual({
      id: '5',
      display: 'Acme 5',
    });
    expect(await integration.check(provider.session(integration, { fields: { api_key: 'tk-Ab1' } }))).toEqual({
      id: '5:test',
      display: 'Acme 5 (test)',
    });
    provider.server.answer = () => ({ body: {} });
    expect(
      await rejectionOf(integration.check(provider.session(integration, { fields: { api_key: 'sk_Ab1' } }))),
    ).toBeInstanceOf(UnexpectedResponse);
  });
});
