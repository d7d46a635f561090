import { Module } from '@nestjs/common';
import { CreateEnvironment } from './environments/create-environment';
import { CreateIdentity } from './create-identity';
import { DescribeManagedEnvironments } from './environments-api/describe-managed-environments';
import { EnvironmentsController } from './environments-api/environments.controller';
import { FindEnvironments } from './environments/find-environments';
import { IdentitiesController } from './identities.controller';
import { ListEnvironments } from './environments-api/list-environments';
import { ListIdentities } from './list-identities';
import { ReadFormerSecretsEnds } from './environments/signing/read-former-secrets-ends';
import { RequestSource } from './source-requests/request-source';
import { RotateSigningSecret } from './environments/signing/rotate-signing-secret';
import { ConsoleSourceRequestsController } from './source-requests/console-source-requests.controller';
import { ListSourceRequests } from './source-requests/list-source-requests';
import { SetProvisioning } from './environments/set-provisioning';
import { SourceRequestsController } from './source-requests/source-requests.controller';
import { UpdateEnvironment } from './environments/update-environment';
import { UpdateIdentity } from './update-identity';

/**
 * Responsible for clients, their environments with all settings, identities, and the sources that their users miss.
 * Does not depend on connections; it counts them with SQL.
 */
@Module({
  controllers: [
    EnvironmentsController,
    IdentitiesController,
    SourceRequestsController,
    ConsoleSourceRequestsController,
  ],
  providers: [
    CreateEnvironment,
    UpdateEnvironment,
    RotateSigningSecret,
    FindEnvironments,
    ReadFormerSecretsEnds,
    ListEnvironments,
    DescribeManagedEnvironments,
    SetProvisioning,
    CreateIdentity,
    UpdateIdentity,
    ListIdentities,
    RequestSource,
    ListSourceRequests,
  ],
  exports: [
    CreateEnvironment,
    UpdateEnvironment,
    RotateSigningSecret,
    FindEnvironments,
    ReadFormerSecretsEnds,
    SetProvisioning,
  ],
})
export class IdentitiesModule {}
