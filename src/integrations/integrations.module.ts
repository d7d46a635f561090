import { Module } from '@nestjs/common';
import { DocumentsModule } from '../documents/documents.module';
import { IntegrationRegistryModule } from './integration-registry.module';
import { IntegrationsController } from './integrations.controller';
import { DiscoverMailAccount } from './discover-mail-account';
import { MailAccountsController } from './mail-accounts.controller';
import { ProviderRateLimits } from './core/provider-rate-limits';
import { Inboxes } from './shared/inbox/inboxes';
import { MailDomains } from './shared/mail-discovery/mail-domains';
import { SandboxPortals } from './shared/sandbox/sandbox-portals';
import { SandboxAuthorizationServer } from './shared/sandbox/authorization-server';
import { OAuthClient } from './shared/oauth/oauth-client';

/** Owns the connector interface, the field language, the registry and one folder per connector. Does not know which modules use them. */
@Module({
  imports: [DocumentsModule, IntegrationRegistryModule],
  controllers: [IntegrationsController, MailAccountsController],
  providers: [
    ProviderRateLimits,
    OAuthClient,
    SandboxPortals,
    Inboxes,
    SandboxAuthorizationServer,
    MailDomains,
    DiscoverMailAccount,
  ],
  exports: [
    IntegrationRegistryModule,
    ProviderRateLimits,
    OAuthClient,
    Inboxes,
    SandboxPortals,
    SandboxAuthorizationServer,
  ],
})
export class IntegrationsModule {}
