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
export function microsoftOAuth(
  scopes: readonly string[],
  scopesFor: (step2: Readonly<Record<string, unknown>>) => readonly string[],
): OAuthSpec {
  return {
    issuer: `${ENTRA}/v2.0`,
    authorizeUrl: `${ENTRA}/oauth2/v2.0/authorize`,
    tokenUrl: `${ENTRA}/oauth2/v2.0/token`,
    // `offline_access` returns a refresh token, `User.Read` identifies the account. Scopes without an address are those of Graph.
    scopes: ['offline_access', 'User.Read', ...scopes],
    scopesFor,
    neverGranted: ['offline_access'],
    // A user who is signed in is asked which account to use.
    authorizeParameters: { response_mode: 'query', prompt: 'select_account' },
    clientAuth: 'post',
  };
}

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
