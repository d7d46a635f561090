import { SCOPES } from '../../integrations/shared/sandbox/scopes';
import { CLIENT_ID } from '../../integrations/shared/sandbox/authorization-server';
import { type Lang, LANGUAGES } from '../../platform/i18n/lang';

/** What our own OAuth client asks the consent page for (RFC 6749 section 4.1.1, RFC 7636 section 4.3). */
export interface ConsentRequest {
  readonly redirectUri: string;
  readonly state: string;
  readonly scopes: readonly string[];
  readonly codeChallenge: string;
  /** In which language the user came here; undefined: as the browser says. */
  readonly lang: Lang | undefined;
}

const CHALLENGE = /^[A-Za-z0-9_-]{43}$/;

/**
 * Reads the parameters of the page's address, or the hidden fields of its form. Null unless they are exactly what our client sends:
 * its id, its redirect address and no other, PKCE with S256, scopes that there are.
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

/** The request as the fields of a form, by which {@link readConsentRequest} reads it again. */
export function fieldsOf({ redirectUri, state, scopes, codeChallenge, lang }: ConsentRequest): Record<string, string> {
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
