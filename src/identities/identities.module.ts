import { Module } from '@nestjs/common';
import { CreateEnvironment } from './create-environment';
import { CreateIdentity } from './create-identity';
import { DeleteIdentity } from './delete-identity';
import { IdentitiesController } from './identities.controller';
import { ListIdentities } from './list-identities';
import { SetProvisioning } from './set-provisioning';
import { UpdateIdentity } from './update-identity';

/**
 * Owns clients, their environments with all settings, and identities.
 * Refuses to know connections (it counts them through a database view).
 */
@Module({
  controllers: [IdentitiesController],
  providers: [CreateEnvironment, SetProvisioning, CreateIdentity, UpdateIdentity, DeleteIdentity, ListIdentities],
  exports: [CreateEnvironment, SetProvisioning],
})
export class IdentitiesModule {}
