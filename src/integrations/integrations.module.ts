import { Module } from '@nestjs/common';
import { Catalogue } from './catalogue';
import { IntegrationsController } from './integrations.controller';
import { Politeness } from './core/politeness';
import { SandboxPortals } from './shared/sandbox/sandbox-portals';
import { SandboxAuthorizationServer } from './shared/sandbox/authorization-server';
import { OAuthClient } from './shared/oauth/oauth-client';

/**
 * Owns the connector interface, the field language, the catalogue and one folder per connector.
 * Refuses to know who uses them.
 */
@Module({
  controllers: [IntegrationsController],
  providers: [Catalogue, Politeness, OAuthClient, SandboxPortals, SandboxAuthorizationServer],
  exports: [Catalogue, Politeness, OAuthClient, SandboxPortals, SandboxAuthorizationServer],
})
export class IntegrationsModule {}
