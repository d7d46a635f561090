import { Module } from '@nestjs/common';
import { CreateEnvironment } from './create-environment';
import { CreateIdentity } from './create-identity';
import { IdentitiesController } from './identities.controller';
import { ListIdentities } from './list-identities';
import { OwnIdentityGuard } from './own-identity';
import { SetProvisioning } from './set-provisioning';

/**
 * Owns clients, their environments with all settings, and identities.
 * Refuses to know connections (it counts them through a database view).
 */
@Module({
  controllers: [IdentitiesController],
  providers: [CreateEnvironment, SetProvisioning, CreateIdentity, ListIdentities, OwnIdentityGuard],
  exports: [CreateEnvironment, SetProvisioning],
})
export class IdentitiesModule {}
