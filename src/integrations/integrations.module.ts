import { Module } from '@nestjs/common';
import { Catalogue } from './catalogue';
import { IntegrationsController } from './integrations.controller';
import { Politeness } from './politeness';
import { OAuthClient } from './shared/oauth/oauth-client';

/**
 * Owns the connector interface, the field language, the catalogue and one folder per connector.
 * Refuses to know who uses them.
 */
@Module({
  controllers: [IntegrationsController],
  providers: [Catalogue, Politeness, OAuthClient],
  exports: [Catalogue, Politeness, OAuthClient],
})
export class IntegrationsModule {}
