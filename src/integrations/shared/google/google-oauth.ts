import type { OAuthSpec } from '../../core/oauth-spec';

/** How Google's users authorise us, for the given scopes. */
export const googleOAuth = (...scopes: string[]): OAuthSpec => ({
  issuer: 'https://accounts.google.com',
  authorizeUrl: 'https://accounts.google.com/o/oauth2/v2/auth',
  tokenUrl: 'https://oauth2.googleapis.com/token',
  revokeUrl: 'https://oauth2.googleapis.com/revoke',
  scopes,
  // Without the first there is no refresh token; without the second only for the first consent of an account.
  authorizeParameters: { access_type: 'offline', prompt: 'consent' },
  clientAuth: 'post',
});
