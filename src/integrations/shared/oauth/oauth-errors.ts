import { AuthorizationResponseError, ResponseBodyError, WWWAuthenticateChallengeError } from 'oauth4webapi';
import { isAddressNotAllowed } from '../../../platform/network/network';
import { pauseAfter } from '../../../platform/network/retry-after';
import {
  AuthorizationRevoked,
  ClientRefused,
  UnexpectedResponse,
  RateLimited,
  SourceError,
  Transient,
} from '../../core/source-errors';

/** For a provider that asks for a pause without saying how long. */
const PAUSE_SECONDS = 60;

/** What is wrong with us, not with the user: RFC 6749 section 5.2, and Google's own words for clients that were taken away. */
const CLIENT_ERRORS = [
  'invalid_client',
  'unauthorized_client',
  'unsupported_grant_type',
  'invalid_scope',
  'redirect_uri_mismatch',
  'deleted_client',
  'disabled_client',
];
/** The user has to come again. `interaction_required` and `consent_required` are OpenID Connect's. */
const GRANT_ERRORS = ['invalid_grant', 'interaction_required', 'consent_required', 'login_required'];

/** @throws Transient or RateLimited for an answer that says nothing about the grant */
export async function classifyTokenResponse(answer: Response): Promise<void> {
  if (answer.status === 429) {
    await answer.body?.cancel();
    const seconds = pauseAfter(answer.headers.get('retry-after'), new Date(), PAUSE_SECONDS);
    throw new RateLimited('The token endpoint asks for a pause.', seconds);
  }
  if (answer.status >= 500) {
    await answer.body?.cancel();
    throw new Transient(`The token endpoint answers ${answer.status}.`);
  }
}

/** What came of a call of the token endpoint. Messages hold codes only: what a server says may repeat what it was sent. */
export function classifyTokenFailure(error: unknown, integration: string): unknown {
  if (error instanceof SourceError || isAddressNotAllowed(error)) return error;
  if (error instanceof ResponseBodyError || error instanceof AuthorizationResponseError) {
    const meaning = classifyTokenError(error.error);
    const isUnknown = meaning instanceof UnexpectedResponse && !(meaning instanceof ClientRefused);
    // 401: the client did not prove itself (RFC 6749 section 5.2), whatever it is called.
    const isOurs = isUnknown && error instanceof ResponseBodyError && error.status === 401;
    return isOurs ? new ClientRefused(`${integration} refuses our OAuth client (${sanitize(error.error)}).`) : meaning;
  }
  // The same with a challenge.
  if (error instanceof WWWAuthenticateChallengeError)
    return new ClientRefused(`${integration} refuses our OAuth client.`);
  const code = (error as { code?: unknown } | null)?.code;
  if (typeof code === 'string' && code.startsWith('OAUTH_')) {
    return new UnexpectedResponse(`The token endpoint of ${integration} answers in an unexpected way (${code}).`);
  }
  return new Transient(`The token endpoint of ${integration} cannot be reached.`, { cause: error });
}

/** What an error code of OAuth means. Dropbox has a sentence follow it: `invalid_client: Invalid client_id or client_secret`. */
export function classifyTokenError(error: string): SourceError {
  const code = error.split(':', 1)[0]!;
  if (GRANT_ERRORS.includes(code)) return new AuthorizationRevoked(`The authorisation is gone (${sanitize(code)}).`);
  if (CLIENT_ERRORS.includes(code)) return new ClientRefused(`Our OAuth client is refused (${sanitize(code)}).`);
  if (code === 'temporarily_unavailable' || code === 'server_error') {
    return new Transient(`The authorisation server is away (${code}).`);
  }
  return new UnexpectedResponse(`The authorisation server refuses (${sanitize(code)}).`);
}

/** A code as the RFCs write them, whatever was sent. */
const sanitize = (code: string): string => (/^[a-z_]{1,40}$/.test(code) ? code : 'an unknown code');
