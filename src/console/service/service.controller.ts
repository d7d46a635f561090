import { Controller, Get } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { ApiData, type Enveloped, enveloped } from '../../platform/errors/envelope';
import { Access } from '../../platform/http/access/access.decorator';
import { DescribeService } from './describe-service';
import { ServiceStatusView } from './service.view';

@ApiTags('Console')
@Controller('v1/console/service')
export class ServiceController {
  constructor(private readonly describe: DescribeService) {}

  @Get()
  @Access('support')
  @ApiOperation({
    operationId: 'getServiceStatus',
    summary: 'Get the state of the installation',
    description: 'Versions, workers, queues, and what is due or overdue in all environments. For the support team.',
  })
  @ApiData(ServiceStatusView, 'The state.')
  async get(): Promise<Enveloped<ServiceStatusView>> {
    return enveloped(await this.describe.describe());
  }
}
