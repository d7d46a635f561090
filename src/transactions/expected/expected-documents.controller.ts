import { Controller, Get, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { ApiPage, type Page } from '../../platform/errors/envelope';
import { Access, type Caller, CurrentCaller } from '../../platform/http/access/access.decorator';
import { PageQuery } from '../../platform/http/input/page';
import { ExpectedDocumentView } from './expected-document.view';
import { ListExpectedDocuments } from './list-expected-documents';

@ApiTags('Console')
@Controller('v1/console/expected-documents')
export class ExpectedDocumentsController {
  constructor(private readonly listExpectedDocuments: ListExpectedDocuments) {}

  @Get()
  @Access('session')
  @ApiOperation({
    operationId: 'listExpectedDocuments',
    summary: 'List missing invoices',
    description:
      'Missing monthly invoices, the latest first, as long as events are kept. Empty unless the environment has `expected_documents`.',
  })
  @ApiPage(ExpectedDocumentView, 'A page of missing invoices.')
  list(@CurrentCaller() { environmentUuid }: Caller, @Query() query: PageQuery): Promise<Page<ExpectedDocumentView>> {
    return this.listExpectedDocuments.list(environmentUuid, query);
  }
}
