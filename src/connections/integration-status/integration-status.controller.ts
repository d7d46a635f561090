import { Controller, Get } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { ApiPage, type Page } from '../../platform/errors/envelope';
import { Access } from '../../platform/http/access/access.decorator';
import { IntegrationStatusView } from './integration-status.view';
import { ListIntegrationStatus } from './list-integration-status';

@ApiTags('Console')
@Controller('v1/console/integrations')
export class IntegrationStatusController {
  constructor(private readonly listStatus: ListIntegrationStatus) {}

  @Get()
  @Access('support')
  @ApiOperation({
    operationId: 'listIntegrationStatus',
    summary: 'List the integrations of this deployment',
    description:
      'Which integrations users can connect to, what the others lack, and how many connections each has in all environments. All on one page. For the support team.',
  })
  @ApiPage(IntegrationStatusView, 'All integrations.')
  async list(): Promise<Page<IntegrationStatusView>> {
    return { data: await this.listStatus.list(), meta: { next_cursor: null, has_more: false } };
  }
}
