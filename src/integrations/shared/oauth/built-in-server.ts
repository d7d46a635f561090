import * as oauth from 'oauth4webapi';
import { CLIENT_ID } from '../sandbox/authorization-server';
import type { OAuthSpec } from '../../core/oauth-spec';

/**
 * The authorization server that is part of the service: users consent below the service's address, and other requests are answered
 * within the process.
 */
export function builtInServer(spec: OAuthSpec, publicUrl: string) {
  const server: oauth.AuthorizationServer = {
    issuer: spec.issuer,
    authorization_endpoint: publicUrl + new URL(spec.authorizeUrl).pathname,
    token_endpoint: spec.tokenUrl,
    ...(spec.revokeUrl && { revocation_endpoint: spec.revokeUrl }),
  };
  return { spec, server, client: { client_id: CLIENT_ID }, authentication: oauth.None() };
}
