import { Module } from '@nestjs/common';
import { CreateEnvironment } from './environments/create-environment';
import { CreateIdentity } from './create-identity';
import { FindEnvironments } from './environments/find-environments';
import { IdentitiesController } from './identities.controller';
import { ListIdentities } from './list-identities';
import { RequestSource } from './source-requests/request-source';
import { SetProvisioning } from './environments/set-provisioning';
import { SourceRequestsController } from './source-requests/source-requests.controller';
import { UpdateEnvironment } from './environments/update-environment';
import { UpdateIdentity } from './update-identity';

/**
 * Responsible for clients, their environments with all settings, identities, and the sources that their users miss.
 * Does not depend on connections; it counts them with SQL.
 */
@Module({
  controllers: [IdentitiesController, SourceRequestsController],
  providers: [
    CreateEnvironment,
    UpdateEnvironment,
    FindEnvironments,
    SetProvisioning,
    CreateIdentity,
    UpdateIdentity,
    ListIdentities,
    RequestSource,
  ],
  exports: [CreateEnvironment, UpdateEnvironment, FindEnvironments, SetProvisioning],
})
export class IdentitiesModule {}
