import { Controller, Get } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { ApiData, type Enveloped, enveloped } from '../../platform/errors/envelope';
import { Access, type Caller, CurrentCaller } from '../../platform/http/access/access.decorator';
import { DescribeOverview } from './describe-overview';
import { OverviewView } from './overview.view';

@ApiTags('Console')
@Controller('v1/console/overview')
export class OverviewController {
  constructor(private readonly describeOverview: DescribeOverview) {}

  @Get()
  @Access('session')
  @ApiOperation({
    operationId: 'getOverview',
    summary: 'Get an overview',
    description: 'The connections by state, the fetches and deliveries of the last 24 hours, and what needs attention.',
  })
  @ApiData(OverviewView, 'The overview.')
  async get(@CurrentCaller() { environmentUuid }: Caller): Promise<Enveloped<OverviewView>> {
    return enveloped(await this.describeOverview.describe(environmentUuid));
  }
}
