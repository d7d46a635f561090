import { Module } from '@nestjs/common';
import { CreateEnvironment } from './environments/create-environment';
import { CreateIdentity } from './create-identity';
import { FindEnvironments } from './environments/find-environments';
import { IdentitiesController } from './identities.controller';
import { ListIdentities } from './list-identities';
import { SetProvisioning } from './environments/set-provisioning';
import { UpdateEnvironment } from './environments/update-environment';
import { UpdateIdentity } from './update-identity';

/**
 * Responsible for clients, their environments with all settings, and identities.
 * Does not depend on connections; it counts them with SQL.
 */
@Module({
  controllers: [IdentitiesController],
  providers: [
    CreateEnvironment,
    UpdateEnvironment,
    FindEnvironments,
    SetProvisioning,
    CreateIdentity,
    UpdateIdentity,
    ListIdentities,
  ],
  exports: [CreateEnvironment, UpdateEnvironment, FindEnvironments, SetProvisioning],
})
export class IdentitiesModule {}
