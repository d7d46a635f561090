import { SCOPES } from '../../integrations/shared/sandbox/scopes';
import { CLIENT_ID } from '../../integrations/shared/sandbox/authorization-server';
import { type Lang, LANGUAGES } from '../../platform/i18n/lang';

/** An authorization request of our own OAuth client (RFC 6749 section 4.1.1, RFC 7636 section 4.3). */
export interface ConsentRequest {
  readonly redirectUri: string;
  readonly state: string;
  readonly scopes: readonly string[];
  readonly codeChallenge: string;
  /** The user's language; undefined: the language of the browser. */
  readonly lang: Lang | undefined;
}

const CHALLENGE = /^[A-Za-z0-9_-]{43}$/;

/**
 * Reads the query parameters of the page, or the hidden fields of its form. Null unless they are exactly what our client
 * sends: its id, its redirect URI, PKCE with S256, and existing scopes.
 */
export function readConsentRequest(
  given: Readonly<Record<string, unknown>>,
  redirectUri: string,
): ConsentRequest | null {
  const { client_id, response_type, code_challenge_method, state, scope, code_challenge } = given;
  const isOurs =
    client_id === CLIENT_ID &&
    response_type === 'code' &&
    given.redirect_uri === redirectUri &&
    code_challenge_method === 'S256';
  if (!isOurs || typeof state !== 'string' || typeof scope !== 'string' || typeof code_challenge !== 'string')
    return null;
  const scopes = scope.split(' ');
  const areKnown = scopes.every((name) => SCOPES.includes(name));
  if (!areKnown || !CHALLENGE.test(code_challenge)) return null;
  const lang = LANGUAGES.find((known) => known === given.ui_locales);
  return { redirectUri, state, scopes, codeChallenge: code_challenge, lang };
}

/** The request as form fields, for {@link readConsentRequest}. */
export function toFormFields({
  redirectUri,
  state,
  scopes,
  codeChallenge,
  lang,
}: ConsentRequest): Record<string, string> {
  return {
    client_id: CLIENT_ID,
    response_type: 'code',
    redirect_uri: redirectUri,
    state,
    scope: scopes.join(' '),
    code_challenge: codeChallenge,
    code_challenge_method: 'S256',
    ...(lang && { ui_locales: lang }),
  };
}
