import { Controller, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import { ApiOperation, ApiParam, ApiResponse, ApiTags } from '@nestjs/swagger';
import type { ConnectionRecord } from '../../connections/state/connection-record';
import { Access, type Caller, CurrentCaller } from '../../platform/http/access/access.decorator';
import { CONNECTION } from '../../connections/access/connection-resource';
import { Owned, Resource } from '../../platform/http/access/owned.decorator';
import { ApiPage, type Page } from '../../platform/errors/envelope';
import { ApiErrors } from '../../platform/errors/api-errors';
import { PageQuery } from '../../platform/http/input/page';
import { DismissFailure } from './dismiss-failure';
import { DocumentFailureView } from './document-failure.view';
import { ListFailures } from './list-failures';

@ApiTags('Fetches')
@Controller('v1/connections/:uuid/failures')
export class FailuresController {
  constructor(
    private readonly listFailures: ListFailures,
    private readonly dismissFailure: DismissFailure,
  ) {}

  @Get()
  @Access('token', 'key')
  @Owned(CONNECTION)
  @ApiOperation({
    operationId: 'listFailures',
    summary: 'List the documents that could not be downloaded',
    description:
      'Documents that the source has listed and no fetch has downloaded yet, without the dismissed ones, the latest first failure first. `failed_documents` of the connection is their number. A failure is deleted when its document is downloaded.',
  })
  @ApiPage(DocumentFailureView, 'A page of documents that could not be downloaded.')
  list(@Resource() { uuid }: ConnectionRecord, @Query() query: PageQuery): Promise<Page<DocumentFailureView>> {
    return this.listFailures.list(uuid, query);
  }

  @Post(':failure_uuid/dismiss')
  @Access('token', 'key')
  @HttpCode(204)
  @Owned(CONNECTION, { otherUuids: ['failure_uuid'] })
  @ApiParam({
    name: 'failure_uuid',
    format: 'uuid',
    description: 'The failure.',
    example: '019a9f6e-2c41-7c5e-9d0a-1b7c2f3e4d5a',
  })
  @ApiOperation({
    operationId: 'dismissFailure',
    summary: 'Dismiss a document that could not be downloaded',
    description:
      'The document is neither retried nor listed or counted until the source changes it; then it is downloaded like a new one. Idempotent. 404 when the document has been downloaded in the meantime.',
  })
  @ApiResponse({ status: 204, description: 'Dismissed.' })
  @ApiErrors('FAILURE_NOT_FOUND')
  dismiss(
    @CurrentCaller() caller: Caller,
    @Resource() connection: ConnectionRecord,
    @Param('failure_uuid') uuid: string,
  ): Promise<void> {
    return this.dismissFailure.dismiss(caller, connection, uuid);
  }
}
