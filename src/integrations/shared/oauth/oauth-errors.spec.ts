import * as oauth from 'oauth4webapi';
import { AddressNotAllowed } from '../../../platform/network/network';
import {
  AuthorizationRevoked,
  ClientRefused,
  UnexpectedResponse,
  RateLimited,
  Transient,
} from '../../core/source-errors';
import { classifyTokenResponse, classifyTokenError, classifyTokenFailure } from './oauth-errors';

const SERVER: oauth.AuthorizationServer = { issuer: 'https://as.example', token_endpoint: 'https://as.example/token' };
const CLIENT: oauth.Client = { client_id: 'client-id' };
const answer = (status: number, body: unknown, headers: Record<string, string> = {}): Response =>
  new Response(typeof body === 'string' ? body : JSON.stringify(body), {
    status,
    headers: { 'content-type': 'application/json', ...headers },
  });

/** The classification of a response to a refresh. */
async function meaning(response: Response): Promise<unknown> {
  try {
    await classifyTokenResponse(response);
    await oauth.processRefreshTokenResponse(SERVER, CLIENT, response);
  } catch (error) {
    return classifyTokenFailure(error, 'example');
  }
  return null;
}

describe('A response of a token endpoint', () => {
  it.each([
    ['invalid_grant', AuthorizationRevoked],
    ['interaction_required', AuthorizationRevoked],
    ['consent_required', AuthorizationRevoked],
    ['invalid_client', ClientRefused],
    ['unauthorized_client', ClientRefused],
    ['unsupported_grant_type', ClientRefused],
    ['invalid_scope', ClientRefused],
    ['temporarily_unavailable', Transient],
    ['server_error', Transient],
    ['invalid_request', UnexpectedResponse],
    ['something_new', UnexpectedResponse],
  ])('with the error %s is classified', async (error, expected) => {
    expect(await meaning(answer(400, { error, error_description: 'refresh token abc' }))).toBeInstanceOf(expected);
    expect(classifyTokenError(error)).toBeInstanceOf(expected);
  });

  // Responses of the providers.
  it.each([
    ['Google', 401, 'invalid_client', 'The provided client secret is invalid.', ClientRefused],
    ['Google', 401, 'deleted_client', 'The OAuth client was deleted.', ClientRefused],
    ['Google', 400, 'invalid_grant', 'Token has been expired or revoked.', AuthorizationRevoked],
    ['Microsoft', 401, 'invalid_client', 'AADSTS7000215: Invalid client secret provided.', ClientRefused],
    [
      'Microsoft',
      401,
      'invalid_client',
      'AADSTS7000222: The provided client secret keys for app are expired.',
      ClientRefused,
    ],
    ['Microsoft', 400, 'unauthorized_client', 'AADSTS700016: Application was not found.', ClientRefused],
    ['Microsoft', 400, 'invalid_grant', 'AADSTS50173: The provided grant has expired.', AuthorizationRevoked],
    ['Microsoft', 400, 'interaction_required', 'AADSTS50076: You must use multi-factor.', AuthorizationRevoked],
    ['Dropbox', 400, 'invalid_client: Invalid client_id or client_secret', undefined, ClientRefused],
    ['Dropbox', 400, 'invalid_grant', 'refresh token is invalid or revoked', AuthorizationRevoked],
    ['Box', 400, 'invalid_client', 'The client credentials are not valid', ClientRefused],
    ['Box', 400, 'invalid_grant', 'Refresh token has expired', AuthorizationRevoked],
    ['anybody', 401, 'something_new', undefined, ClientRefused],
  ])(
    'of %s (%i %s, %s) distinguishes client errors from revoked grants',
    async (_, status, error, description, expected) => {
      const body = { error, ...(description !== undefined && { error_description: description }) };
      expect(await meaning(answer(status, body))).toBeInstanceOf(expected);
    },
  );

  it('with a challenge to the client does not concern the user', async () => {
    const challenged = answer(401, { error: 'invalid_client' }, { 'www-authenticate': 'Basic realm="as"' });
    expect(await meaning(challenged)).toBeInstanceOf(ClientRefused);
    expect(await meaning(answer(401, { error: 'invalid_client' }))).toBeInstanceOf(ClientRefused);
  });

  it('that is invalid does not revoke the authorization', async () => {
    for (const status of [500, 502, 503, 504]) expect(await meaning(answer(status, 'oops'))).toBeInstanceOf(Transient);
    for (const body of ['<html>', '{}', '[]', '{"error": 7}']) {
      expect(await meaning(answer(400, body))).toBeInstanceOf(UnexpectedResponse);
      expect(await meaning(answer(200, body))).toBeInstanceOf(UnexpectedResponse);
    }
  });

  it.each([
    [{ 'retry-after': '17' }, 17],
    [{ 'retry-after': '1.2' }, 2],
    [{ 'retry-after': 'soon' }, 60],
    [{}, 60],
  ])('that requests a pause (%j) is RateLimited', async (headers, seconds) => {
    const error = await meaning(answer(429, {}, headers));
    expect(error).toBeInstanceOf(RateLimited);
    expect(error).toMatchObject({ retryAfterSeconds: seconds });
  });

  it('that succeeds is passed on', async () => {
    expect(await meaning(answer(200, { access_token: 'a', token_type: 'bearer', expires_in: 5 }))).toBeNull();
  });
});

describe('A call of a token endpoint', () => {
  it('that fails is transient unless the address is not allowed', () => {
    const reset = Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' });
    for (const error of [reset, new TypeError('fetch failed'), new DOMException('late', 'TimeoutError'), null]) {
      expect(classifyTokenFailure(error, 'example')).toBeInstanceOf(Transient);
    }
    const refused = new AddressNotAllowed('10.0.0.1');
    expect(classifyTokenFailure(refused, 'example')).toBe(refused);
  });

  it('repeats known codes only', async () => {
    const secret = 'a-refresh-token-1//0abc';
    for (const error of [secret, 'x'.repeat(500), 'Invalid Grant: abc']) {
      expect(String(classifyTokenError(error))).not.toContain(error.slice(0, 20));
      const failed = (await meaning(answer(400, { error, error_description: secret }))) as Error;
      expect(failed.message).not.toContain(secret);
    }
  });
});
