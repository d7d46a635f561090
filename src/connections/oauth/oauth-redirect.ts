import type { ResponseCookie } from './oauth-cookies';

/** How an authorization ended. All but the first leave the connection unchanged. */
export const AUTHORIZATION_OUTCOMES = [
  'AUTHORIZED',
  'AUTHORIZATION_DENIED',
  'AUTHORIZATION_EXPIRED',
  'AUTHORIZATION_USED',
  'AUTHORIZATION_INVALID',
  'AUTHORIZATION_FAILED',
  'ACCOUNT_MISMATCH',
  'ACCOUNT_WITHOUT_ACCESS',
  'SCOPE_MISSING',
  'PROVIDER_UNREACHABLE',
  'INTEGRATION_NOT_AVAILABLE',
  'INTERNAL_ERROR',
] as const;
export type AuthorizationOutcome = (typeof AUTHORIZATION_OUTCOMES)[number];

/** Signing purpose of `state`. */
export const STATE_PURPOSE = 'oauth-state';

/** The target of a redirect, and a cookie to set with it. */
export interface OAuthRedirect {
  readonly url: string;
  readonly cookie?: ResponseCookie;
}

/**
 * The redirect to the hosted UI after an authorization: with the code `resume` if there is a session to resume, otherwise to
 * a page that only shows the outcome.
 */
export function redirectToUi(publicUrl: string, outcome: AuthorizationOutcome, resume?: string): OAuthRedirect {
  if (resume !== undefined) return { url: `${publicUrl}/ui?resume=${resume}` };
  const result = outcome === 'AUTHORIZED' ? 'success' : outcome === 'AUTHORIZATION_DENIED' ? 'cancelled' : 'error';
  return { url: `${publicUrl}/ui?result=${result}&code=${outcome}` };
}
