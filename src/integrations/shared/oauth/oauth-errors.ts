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

/** For a pause without a stated duration. */
const PAUSE_SECONDS = 60;

/** Errors of our client, not of the user: RFC 6749 section 5.2, and Google's codes for deleted and disabled clients. */
const CLIENT_ERRORS = [
  'invalid_client',
  'unauthorized_client',
  'unsupported_grant_type',
  'invalid_scope',
  'redirect_uri_mismatch',
  'deleted_client',
  'disabled_client',
];
/** The user has to authorize again. `interaction_required` and `consent_required` are OpenID Connect's. */
const GRANT_ERRORS = ['invalid_grant', 'interaction_required', 'consent_required', 'login_required'];

/** @throws Transient or RateLimited for a response that does not concern the grant */
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

/** Classifies a failed call of the token endpoint. Messages contain codes only, because a server's text may repeat what it was sent. */
export function classifyTokenFailure(error: unknown, integration: string): unknown {
  if (error instanceof SourceError || isAddressNotAllowed(error)) return error;
  if (error instanceof ResponseBodyError || error instanceof AuthorizationResponseError) {
    const meaning = classifyTokenError(error.error);
    const isUnknown = meaning instanceof UnexpectedResponse && !(meaning instanceof ClientRefused);
    // 401: the client was not authenticated (RFC 6749 section 5.2), whatever the code.
    const isOurs = isUnknown && error instanceof ResponseBodyError && error.status === 401;
    return isOurs ? new ClientRefused(`${integration} refuses our OAuth client (${sanitize(error.error)}).`) : meaning;
  }
  // A 401 with a challenge.
  if (error instanceof WWWAuthenticateChallengeError)
    return new ClientRefused(`${integration} refuses our OAuth client.`);
  const code = (error as { code?: unknown } | null)?.code;
  if (typeof code === 'string' && code.startsWith('OAUTH_')) {
    return new UnexpectedResponse(`The token endpoint of ${integration} answers in an unexpected way (${code}).`);
  }
  return new Transient(`The token endpoint of ${integration} cannot be reached.`, { cause: error });
}

/** Classifies an OAuth error code. Dropbox appends a sentence to it: `invalid_client: Invalid client_id or client_secret`. */
export function classifyTokenError(error: string): SourceError {
  const code = error.split(':', 1)[0]!;
  if (GRANT_ERRORS.includes(code))
    return new AuthorizationRevoked(`The authorization is no longer valid (${sanitize(code)}).`);
  if (CLIENT_ERRORS.includes(code)) return new ClientRefused(`Our OAuth client is refused (${sanitize(code)}).`);
  if (code === 'temporarily_unavailable' || code === 'server_error') {
    return new Transient(`The authorization server is unavailable (${code}).`);
  }
  return new UnexpectedResponse(`The authorization server refuses (${sanitize(code)}).`);
}

/** The code when it has the form of the RFCs, because the server may send anything. */
const sanitize = (code: string): string => (/^[a-z_]{1,40}$/.test(code) ? code : 'an unknown code');
