import { Controller, Get, UseGuards } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { Access, type Caller, CurrentCaller } from '../../platform/http/access/access.decorator';
import { EnvironmentKeyGuard } from '../../platform/http/access/environment-key.guard';
import { ApiData, type Enveloped, enveloped } from '../../platform/errors/envelope';
import { ApiErrors } from '../../platform/errors/api-errors';
import { DescribeEnvironment } from './describe-environment';
import { EnvironmentView } from './environment.view';

@ApiTags('Environment')
@Controller('v1/environment')
export class EnvironmentController {
  constructor(private readonly describe: DescribeEnvironment) {}

  @Get()
  @Access('key')
  @UseGuards(EnvironmentKeyGuard)
  @ApiOperation({
    operationId: 'getEnvironment',
    summary: 'Get your environment',
    description:
      'The settings that the support team manages for you, the state of your push endpoint, the API key of this request (for a session of the console: the one with which it acts, or, while none is valid, the latest one) and the usage of the current month. Contains no secrets.',
  })
  @ApiData(EnvironmentView, 'The environment.')
  @ApiErrors('NOT_ALLOWED_BY_TOKEN', 'NO_API_KEY')
  async get(@CurrentCaller() caller: Caller): Promise<Enveloped<EnvironmentView>> {
    return enveloped(await this.describe.describe(caller));
  }
}
