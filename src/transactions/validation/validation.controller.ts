import { Controller, Get } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { ApiErrors } from '../../platform/errors/api-errors';
import { ApiData, type Enveloped, enveloped } from '../../platform/errors/envelope';
import { Access } from '../../platform/http/access/access.decorator';
import { Owned, Resource } from '../../platform/http/access/owned.decorator';
import type { Transaction } from '../record/transaction.entity';
import { TRANSACTION } from '../record/transaction-resource';
import { GetValidation } from './get-validation';
import { ValidationReportView } from './validation-report.view';

@ApiTags('Transactions')
@Controller('v1/transactions')
export class ValidationController {
  constructor(private readonly getValidation: GetValidation) {}

  @Get(':transaction_uuid/validation')
  @Access('token', 'key')
  @Owned(TRANSACTION)
  @ApiOperation({
    operationId: 'getValidation',
    summary: 'Get the validation report of an e-invoice',
    description:
      'Every rule that failed when the document was fetched, with the place and a sentence in the language of the request. The report is kept with the record, longer than the content.',
  })
  @ApiData(ValidationReportView, 'The report.')
  @ApiErrors('VALIDATION_NOT_AVAILABLE')
  async get(@Resource() transaction: Transaction): Promise<Enveloped<ValidationReportView>> {
    return enveloped(await this.getValidation.get(transaction));
  }
}
