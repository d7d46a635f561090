import * as oauth from 'oauth4webapi';
import type { Settings } from '../../../platform/config/settings';
import type { Integration } from '../../core/integration';
import type { OAuthSpec } from '../../core/oauth-spec';
import { ClientRefused } from '../../core/source-errors';
import { builtInServer } from './built-in-server';

/** An integration with OAuth. */
export type OAuthIntegration = Integration & { readonly oauth: OAuthSpec };

export const usesOAuth = (integration: Integration): integration is OAuthIntegration => integration.oauth !== undefined;

/** The OAuth client of this deployment at the authorization server of an integration. */
export interface RegisteredClient {
  readonly spec: OAuthSpec;
  readonly server: oauth.AuthorizationServer;
  readonly client: oauth.Client;
  readonly authentication: oauth.ClientAuth;
}

/** @throws ClientRefused when the settings contain no client for the integration */
export function registeredClient(integration: OAuthIntegration, settings: Settings): RegisteredClient {
  const spec = integration.oauth;
  if (spec.isBuiltIn) return builtInServer(spec, settings.publicUrl);
  const { client: own, oauthBaseUrl: base } = settings.providers[integration.id] ?? {};
  if (!own) throw new ClientRefused(`${integration.id} has no OAuth client in this deployment.`);
  const at = (url: string): string => (base ? base + new URL(url).pathname : url);
  const server: oauth.AuthorizationServer = {
    issuer: base ?? spec.issuer,
    authorization_endpoint: at(spec.authorizeUrl),
    token_endpoint: at(spec.tokenUrl),
    ...(spec.revokeUrl && { revocation_endpoint: at(spec.revokeUrl) }),
  };
  const client: oauth.Client = { client_id: own.id };
  const authentication =
    spec.clientAuth === 'basic' ? oauth.ClientSecretBasic(own.secret) : oauth.ClientSecretPost(own.secret);
  return { spec, server, client, authentication };
}
