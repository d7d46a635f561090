import { Module } from '@nestjs/common';
import { IntegrationRegistryModule } from '../integrations/integration-registry.module';
import { ConnectionPresenter } from './state/connection-presenter';

/** The view of a connection. It depends on the integrations: they decide how a user can resolve a failure. */
@Module({ imports: [IntegrationRegistryModule], providers: [ConnectionPresenter], exports: [ConnectionPresenter] })
export class ConnectionViewsModule {}
