import { Controller, Get, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { ApiPage, type Page } from '../../platform/errors/envelope';
import { Access, type Caller, CurrentCaller } from '../../platform/http/access/access.decorator';
import { PageQuery } from '../../platform/http/input/page';
import { ListSourceRequests } from './list-source-requests';
import { SourceRequestView } from './source-request.view';

@ApiTags('Console')
@Controller('v1/console/source-requests')
export class ConsoleSourceRequestsController {
  constructor(private readonly listSourceRequests: ListSourceRequests) {}

  @Get()
  @Access('session')
  @ApiOperation({
    operationId: 'listSourceRequests',
    summary: 'List requested sources',
    description: 'The sources that end users have asked for, newest first, as long as events are kept.',
  })
  @ApiPage(SourceRequestView, 'A page of requests.')
  list(@CurrentCaller() { environmentUuid }: Caller, @Query() query: PageQuery): Promise<Page<SourceRequestView>> {
    return this.listSourceRequests.list(environmentUuid, query);
  }
}
