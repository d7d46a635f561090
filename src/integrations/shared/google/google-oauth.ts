import type { OAuthSpec } from '../../core/oauth-spec';

/** The OAuth specification of Google for the given scopes. */
export const googleOAuth = (...scopes: string[]): OAuthSpec => ({
  issuer: 'https://accounts.google.com',
  authorizeUrl: 'https://accounts.google.com/o/oauth2/v2/auth',
  tokenUrl: 'https://oauth2.googleapis.com/token',
  revokeUrl: 'https://oauth2.googleapis.com/revoke',
  scopes,
  // Without `access_type` there is no refresh token; without `prompt` there is one for the first consent of an account only.
  authorizeParameters: { access_type: 'offline', prompt: 'consent' },
  clientAuth: 'post',
});
