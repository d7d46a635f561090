import type { AccountInfo } from '../../core/source-document';
import type { OAuthSpec } from '../../core/oauth-spec';
import type { GraphClient } from './graph-client';

/** The address of Microsoft Graph, except for sovereign clouds. */
export const GRAPH = 'https://graph.microsoft.com';

const ENTRA = 'https://login.microsoftonline.com/common';

/**
 * The OAuth specification of the Microsoft identity platform (v2.0), for users of any organization and personal accounts. It
 * rotates the refresh token with each use without invalidating the old one, and cannot revoke a single grant (no RFC 7009).
 */
export const microsoftOAuth = (...scopes: readonly string[]): OAuthSpec => ({
  issuer: `${ENTRA}/v2.0`,
  authorizeUrl: `${ENTRA}/oauth2/v2.0/authorize`,
  tokenUrl: `${ENTRA}/oauth2/v2.0/token`,
  // For a refresh token.
  scopes: ['offline_access', ...scopes],
  neverGranted: ['offline_access'],
  // A user who is signed in is asked which account to use.
  authorizeParameters: { response_mode: 'query', prompt: 'select_account' },
  clientAuth: 'post',
});

/** The same for Microsoft Graph, whose scopes need no address. `User.Read` identifies the account. */
export const graphOAuth = (scopes: readonly string[], scopesFor: NonNullable<OAuthSpec['scopesFor']>): OAuthSpec => ({
  ...microsoftOAuth('User.Read', ...scopes),
  scopesFor,
});

/** The user's account. The id stays the same when the address changes. */
export async function accountOf(graph: GraphClient): Promise<AccountInfo> {
  const { id, mail, userPrincipalName, displayName } = await graph.get<{
    id: string;
    mail?: string | null;
    userPrincipalName?: string | null;
    displayName?: string | null;
  }>('/v1.0/me', { $select: 'id,mail,userPrincipalName,displayName' });
  return { id, display: mail ?? userPrincipalName ?? displayName ?? id };
}
