import { Controller, Get, Header } from '@nestjs/common';
import { ApiOperation, ApiProduces, ApiResponse, ApiTags } from '@nestjs/swagger';
import { ApiErrors } from '../../platform/errors/api-errors';
import { Access } from '../../platform/http/access/access.decorator';
import { Owned, Resource } from '../../platform/http/access/owned.decorator';
import { ConsoleContentGuard } from '../download/console-content.guard';
import type { Transaction } from '../record/transaction.entity';
import { TRANSACTION } from '../record/transaction-resource';
import { GetReadable } from './get-readable';
import { READABLE_POLICY } from './readable-style';

@ApiTags('Transactions')
@Controller('v1/transactions')
export class ReadableController {
  constructor(private readonly getReadable: GetReadable) {}

  @Get(':transaction_uuid/readable')
  @Access('token', 'key')
  @Owned(TRANSACTION, { furtherGuards: [ConsoleContentGuard] })
  @Header('Content-Type', 'text/html; charset=utf-8')
  @Header('Content-Security-Policy', READABLE_POLICY)
  @ApiOperation({
    operationId: 'getReadable',
    summary: 'Show an XML e-invoice as a page',
    description:
      'The whole content of an e-invoice in UBL or CII for people, in the language of the request, as an HTML page without scripts and external resources, which can be saved and printed. With the result of the validation, if there is one. Not for PDFs, which people can read already.',
  })
  @ApiProduces('text/html')
  @ApiResponse({
    status: 200,
    description: 'The page.',
    content: { 'text/html': { schema: { type: 'string' } } },
  })
  @ApiErrors('READABLE_NOT_AVAILABLE', 'DOCUMENT_NOT_AVAILABLE', 'CONSOLE_CONTENT_FORBIDDEN')
  get(@Resource() transaction: Transaction): Promise<string> {
    return this.getReadable.get(transaction);
  }
}
