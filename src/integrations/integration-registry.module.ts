import { Module } from '@nestjs/common';
import { IntegrationRegistry } from './integration-registry';

/** The integrations of the build and of the operator, without what connects to them. */
@Module({ providers: [IntegrationRegistry], exports: [IntegrationRegistry] })
export class IntegrationRegistryModule {}
