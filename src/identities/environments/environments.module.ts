import { Module } from '@nestjs/common';
import { CreateEnvironment } from './create-environment';
import { FindEnvironments } from './find-environments';
import { SetProvisioning } from './set-provisioning';
import { ReadFormerSecretsEnds } from './signing/read-former-secrets-ends';
import { RotateSigningSecret } from './signing/rotate-signing-secret';
import { UpdateEnvironment } from './update-environment';

const USE_CASES = [
  CreateEnvironment,
  UpdateEnvironment,
  RotateSigningSecret,
  FindEnvironments,
  ReadFormerSecretsEnds,
  SetProvisioning,
];

/** Environments with their settings, without the routes about them. */
@Module({ providers: USE_CASES, exports: USE_CASES })
export class EnvironmentsModule {}
