import { Body, Controller, Get, HttpCode, Patch, Post, Put, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { ApiErrors } from '../../platform/errors/api-errors';
import { ApiData, ApiPage, type Enveloped, enveloped, type Page } from '../../platform/errors/envelope';
import { Access, type Caller, CurrentCaller } from '../../platform/http/access/access.decorator';
import { Owned, Resource } from '../../platform/http/access/owned.decorator';
import { ENVIRONMENT } from '../environments/environment-resource';
import type { Environment } from '../environments/environment.entity';
import { RotateSigningSecret } from '../environments/signing/rotate-signing-secret';
import { GRACE_HOURS } from '../environments/setting-limits';
import { SetProvisioning } from '../environments/set-provisioning';
import { UpdateEnvironment } from '../environments/update-environment';
import { DescribeManagedEnvironments } from './describe-managed-environments';
import { toEnvironmentChange } from './environment-change';
import { ListEnvironmentsQuery, UpdateEnvironmentDto } from './environment.dto';
import { ManagedEnvironmentView } from './environment.view';
import { ListEnvironments } from './list-environments';
import { RotateSigningSecretDto, SetProvisioningDto } from './provisioning.dto';
import { RotatedSigningSecretView } from './signing-secret.view';

@ApiTags('Console')
@Controller('v1/console/environments')
export class EnvironmentsController {
  constructor(
    private readonly listEnvironments: ListEnvironments,
    private readonly updateEnvironment: UpdateEnvironment,
    private readonly setProvisioning: SetProvisioning,
    private readonly rotateSigningSecret: RotateSigningSecret,
    private readonly environments: DescribeManagedEnvironments,
  ) {}

  @Get()
  @Access('support')
  @ApiOperation({
    operationId: 'listEnvironments',
    summary: 'List environments',
    description: 'All environments of the installation with their settings, oldest first. For the support team.',
  })
  @ApiPage(ManagedEnvironmentView, 'A page of environments.')
  list(@Query() query: ListEnvironmentsQuery): Promise<Page<ManagedEnvironmentView>> {
    return this.listEnvironments.list(query);
  }

  @Get(':environment_uuid')
  @Access('support')
  @Owned(ENVIRONMENT)
  @ApiOperation({
    operationId: 'getManagedEnvironment',
    summary: 'Get the settings of an environment',
    description: 'All settings, without secrets. For the support team.',
  })
  @ApiData(ManagedEnvironmentView, 'The environment.')
  get(@Resource() environment: Environment): Promise<Enveloped<ManagedEnvironmentView>> {
    return this.view(environment);
  }

  @Patch(':environment_uuid')
  @Access('support')
  @Owned(ENVIRONMENT)
  @ApiOperation({
    operationId: 'updateEnvironment',
    summary: 'Change the settings of an environment',
    description:
      'A JSON merge patch: omitted members stay unchanged. All or nothing: an invalid member rejects the whole change. For the support team.',
  })
  @ApiData(ManagedEnvironmentView, 'The environment with its new settings.')
  @ApiErrors('ENVIRONMENT_CHANGED')
  async update(
    @CurrentCaller() { actor }: Caller,
    @Resource() { uuid }: Environment,
    @Body() dto: UpdateEnvironmentDto,
  ): Promise<Enveloped<ManagedEnvironmentView>> {
    const expected = new Date(dto.expected_updated_at);
    const updated = await this.updateEnvironment.update(actor, uuid, toEnvironmentChange(dto), expected);
    return this.view(updated);
  }

  @Put(':environment_uuid/provisioning')
  @Access('support')
  @Owned(ENVIRONMENT)
  @ApiOperation({
    operationId: 'setProvisioning',
    summary: 'Set how documents reach the client',
    description:
      'Strategy, provisioning URL and its authentication. Another URL or authentication is another endpoint, whose circuit is closed. For the support team.',
  })
  @ApiData(ManagedEnvironmentView, 'The environment with its new settings.')
  @ApiErrors('ENVIRONMENT_CHANGED')
  async provision(
    @CurrentCaller() { actor }: Caller,
    @Resource() { uuid }: Environment,
    @Body() { expected_updated_at: expected, strategy, auth, secret, url = null }: SetProvisioningDto,
  ): Promise<Enveloped<ManagedEnvironmentView>> {
    const given = { strategy, url, auth, secret };
    return this.view(await this.setProvisioning.set(actor, uuid, given, new Date(expected)));
  }

  @Post(':environment_uuid/signing-secret')
  @Access('support')
  @HttpCode(200)
  @Owned(ENVIRONMENT)
  @ApiOperation({
    operationId: 'rotateSigningSecret',
    summary: 'Replace the signing secret of an environment',
    description:
      'The former secret continues to sign for the transition period, and with it those of earlier rotations, so that the client can change over without an interruption. For the support team.',
  })
  @ApiData(RotatedSigningSecretView, 'The new secret.')
  @ApiErrors('ENVIRONMENT_CHANGED')
  async rotate(
    @CurrentCaller() { actor }: Caller,
    @Resource() { uuid }: Environment,
    @Body() { expected_updated_at: expected, grace_hours: hours = GRACE_HOURS.default }: RotateSigningSecretDto,
  ): Promise<Enveloped<RotatedSigningSecretView>> {
    const rotated = await this.rotateSigningSecret.rotate(actor, uuid, hours, new Date(expected));
    return enveloped({
      signing_secret: rotated.signingSecret,
      former_retires_at: rotated.formerRetiresAt.toISOString(),
      updated_at: rotated.environment.updatedAt.toISOString(),
    });
  }

  private async view(environment: Environment): Promise<Enveloped<ManagedEnvironmentView>> {
    return enveloped((await this.environments.describe([environment]))[0]!);
  }
}
