import type { OAuthSpec } from '../../core/oauth-spec';
import type { AuthManifest } from '../language/manifest';
import { chosenKinds, KINDS } from '../../shared/accounting/kinds';

/** How users authorize the service. */
export function compileOAuth(auth: Extract<AuthManifest, { type: 'oauth2' }>): OAuthSpec {
  const { scopes_of: scopesOf } = auth;
  return {
    issuer: auth.issuer ?? new URL(auth.authorize).origin,
    authorizeUrl: auth.authorize,
    tokenUrl: auth.token,
    ...(auth.revoke && { revokeUrl: auth.revoke }),
    scopes: auth.scopes,
    ...(scopesOf && {
      scopesFor: (step2) => [
        ...auth.scopes,
        ...chosenKinds(step2, KINDS).flatMap((kind) => (Object.hasOwn(scopesOf, kind) ? scopesOf[kind]! : [])),
      ],
    }),
    ...(auth.never_granted && { neverGranted: auth.never_granted }),
    ...(auth.parameters && { authorizeParameters: auth.parameters }),
    clientAuth: auth.client_auth,
  };
}
