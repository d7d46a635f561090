import type { AccountInfo } from '../../core/source-document';
import type { OAuthSpec } from '../../core/oauth-spec';
import type { GraphClient } from './graph-client';

/** Where Microsoft Graph is for everybody but sovereign clouds. */
export const GRAPH = 'https://graph.microsoft.com';

const ENTRA = 'https://login.microsoftonline.com/common';

/**
 * Users of any organisation, and personal accounts, by the Microsoft identity platform (v2.0). It renews the refresh token
 * with each use and lets the old one live; it takes no single grant back (no RFC 7009).
 */
export function microsoftOAuth(
  scopes: readonly string[],
  scopesFor: (step2: Readonly<Record<string, unknown>>) => readonly string[],
): OAuthSpec {
  return {
    issuer: `${ENTRA}/v2.0`,
    authorizeUrl: `${ENTRA}/oauth2/v2.0/authorize`,
    tokenUrl: `${ENTRA}/oauth2/v2.0/token`,
    // Without the first there is no refresh token; the second is whose account it is. Names without an address mean Graph.
    scopes: ['offline_access', 'User.Read', ...scopes],
    scopesFor,
    neverGranted: ['offline_access'],
    // Whoever is logged in with one of several accounts is asked which one is meant.
    authorizeParameters: { response_mode: 'query', prompt: 'select_account' },
    clientAuth: 'post',
  };
}

/** Whose account it is. The id stays when the user gets another address. */
export async function accountOf(graph: GraphClient): Promise<AccountInfo> {
  const { id, mail, userPrincipalName, displayName } = await graph.get<{
    id: string;
    mail?: string | null;
    userPrincipalName?: string | null;
    displayName?: string | null;
  }>('/v1.0/me', { $select: 'id,mail,userPrincipalName,displayName' });
  return { id, display: mail ?? userPrincipalName ?? displayName ?? id };
}
