import { Module } from '@nestjs/common';
import { IntegrationRegistry } from './integration-registry';
import { IntegrationsController } from './integrations.controller';
import { ProviderRateLimits } from './core/provider-rate-limits';
import { SandboxPortals } from './shared/sandbox/sandbox-portals';
import { SandboxAuthorizationServer } from './shared/sandbox/authorization-server';
import { OAuthClient } from './shared/oauth/oauth-client';

/** Owns the connector interface, the field language, the registry and one folder per connector. Does not know which modules use them. */
@Module({
  controllers: [IntegrationsController],
  providers: [IntegrationRegistry, ProviderRateLimits, OAuthClient, SandboxPortals, SandboxAuthorizationServer],
  exports: [IntegrationRegistry, ProviderRateLimits, OAuthClient, SandboxPortals, SandboxAuthorizationServer],
})
export class IntegrationsModule {}
