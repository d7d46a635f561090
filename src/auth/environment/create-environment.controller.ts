import { Body, Controller, Post } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { managedEnvironmentView } from '../../identities/environments-api/environment.view';
import { parseOrigin } from '../../identities/environments/origins';
import { ApiData, type Enveloped, enveloped } from '../../platform/errors/envelope';
import { Access, type Caller, CurrentCaller } from '../../platform/http/access/access.decorator';
import { LocationHeader } from '../../platform/http/headers/location-header';
import { IdempotentWithSecret } from '../../platform/http/idempotency/idempotency.interceptor';
import { CreateClient } from '../keys/create-client';
import { CreateEnvironmentDto } from './create-environment.dto';
import { CreatedEnvironmentView } from './created-environment.view';

@ApiTags('Console')
@Controller('v1/console/environments')
export class CreateEnvironmentController {
  constructor(private readonly createClient: CreateClient) {}

  @Post()
  @Access('support')
  @ApiOperation({
    operationId: 'createEnvironment',
    summary: 'Create an environment',
    description:
      'With its first API key and its signing secret, which only this response contains. Documents are polled until the provisioning is set. For the support team.',
  })
  @ApiData(CreatedEnvironmentView, 'The environment with its secrets.', 201)
  @LocationHeader('/v1/console/environments/{environment_uuid}')
  @IdempotentWithSecret()
  async create(
    @CurrentCaller() { actor }: Caller,
    @Body() dto: CreateEnvironmentDto,
  ): Promise<Enveloped<CreatedEnvironmentView>> {
    const { environment, apiKey, signingSecret } = await this.createClient.create(actor, {
      clientName: dto.client_name,
      name: dto.name,
      kind: dto.kind,
      returnOrigins: originsOf(dto.return_origins),
      browserOrigins: originsOf(dto.browser_origins),
      fetchIntervalMinutes: dto.fetch_interval_minutes,
    });
    return enveloped({ ...managedEnvironmentView(environment, null), api_key: apiKey, signing_secret: signingSecret });
  }
}

const originsOf = (given: readonly string[] = []): string[] => given.map((text) => parseOrigin(text)!);
