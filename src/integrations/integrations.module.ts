import { Module } from '@nestjs/common';
import { Catalogue } from './catalogue';
import { IntegrationsController } from './integrations.controller';
import { Politeness } from './politeness';

/**
 * Owns the connector interface, the field language, the catalogue and one folder per connector.
 * Refuses to know who uses them.
 */
@Module({
  controllers: [IntegrationsController],
  providers: [Catalogue, Politeness],
  exports: [Catalogue, Politeness],
})
export class IntegrationsModule {}
