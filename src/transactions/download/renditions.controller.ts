import { Controller, Get, Param, Req, Res } from '@nestjs/common';
import { ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { ApiErrors } from '../../platform/errors/api-errors';
import { Access } from '../../platform/http/access/access.decorator';
import { Owned, Resource } from '../../platform/http/access/owned.decorator';
import type { Transaction } from '../record/transaction.entity';
import { TRANSACTION } from '../record/transaction-resource';
import { ConsoleContentGuard } from './console-content.guard';
import { RenditionResponse } from './download-response.decorator';
import { PullRendition } from './pull-rendition';

@ApiTags('Transactions')
@Controller('v1/transactions/:transaction_uuid/renditions')
export class RenditionsController {
  constructor(private readonly pullRendition: PullRendition) {}

  @Get(':rendition_id')
  @Access('token', 'key')
  @Owned(TRANSACTION, { otherUuids: ['rendition_id'], furtherGuards: [ConsoleContentGuard] })
  @ApiParam({
    name: 'rendition_id',
    format: 'uuid',
    description: 'The rendition.',
    example: '019a9f6e-2c41-7c5e-9d0a-1b7c2f3e4d5a',
  })
  @ApiOperation({
    operationId: 'pullRendition',
    summary: 'Pull a rendition',
    description:
      'The bytes of another form in which the invoice was received, listed in `renditions` of its transaction. They are kept as long as the document. `Range` and `If-None-Match` are supported.',
  })
  @RenditionResponse()
  @ApiErrors('RENDITION_NOT_FOUND', 'DOCUMENT_NOT_AVAILABLE', 'RANGE_NOT_SATISFIABLE', 'CONSOLE_CONTENT_FORBIDDEN')
  pull(
    @Resource() transaction: Transaction,
    @Param('rendition_id') uuid: string,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    return this.pullRendition.pull(transaction, uuid, request, response);
  }
}
