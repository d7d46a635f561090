import { Module } from '@nestjs/common';
import { EnvironmentsModule } from './environments/environments.module';
import { CreateIdentity } from './create-identity';
import { DescribeManagedEnvironments } from './environments-api/describe-managed-environments';
import { EnvironmentsController } from './environments-api/environments.controller';
import { IdentitiesController } from './identities.controller';
import { ListEnvironments } from './environments-api/list-environments';
import { ListIdentities } from './list-identities';
import { RequestSource } from './source-requests/request-source';
import { ConsoleSourceRequestsController } from './source-requests/console-source-requests.controller';
import { ListSourceRequests } from './source-requests/list-source-requests';
import { SourceRequestsController } from './source-requests/source-requests.controller';
import { UpdateIdentity } from './update-identity';

/**
 * Responsible for clients, their environments with all settings, identities, and the sources that their users miss.
 * Does not depend on connections; it counts them with SQL.
 */
@Module({
  imports: [EnvironmentsModule],
  controllers: [
    EnvironmentsController,
    IdentitiesController,
    SourceRequestsController,
    ConsoleSourceRequestsController,
  ],
  providers: [
    ListEnvironments,
    DescribeManagedEnvironments,
    CreateIdentity,
    UpdateIdentity,
    ListIdentities,
    RequestSource,
    ListSourceRequests,
  ],
  exports: [EnvironmentsModule],
})
export class IdentitiesModule {}
