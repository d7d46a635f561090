import { Controller, Get, HttpCode, Post, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { ApiErrors } from '../../platform/errors/api-errors';
import { ApiData, ApiPage, type Enveloped, enveloped, type Page } from '../../platform/errors/envelope';
import { Access, type Caller, CurrentCaller } from '../../platform/http/access/access.decorator';
import { Owned, Resource } from '../../platform/http/access/owned.decorator';
import { PageQuery } from '../../platform/http/input/page';
import { TRANSACTION } from '../../transactions/record/transaction-resource';
import type { Transaction } from '../../transactions/record/transaction.entity';
import { DescribeEndpoint } from './describe-endpoint';
import { EndpointTestView, EndpointView } from './endpoint.view';
import { InspectAttempts } from './inspect-attempts';
import { InspectedAttemptView } from './inspected-attempt.view';
import { TestEndpoint } from './test-endpoint';

@ApiTags('Console')
@Controller('v1/console')
export class InspectionController {
  constructor(
    private readonly describeEndpoint: DescribeEndpoint,
    private readonly testEndpoint: TestEndpoint,
    private readonly inspectAttempts: InspectAttempts,
  ) {}

  @Get('endpoint')
  @Access('session')
  @ApiOperation({
    operationId: 'getEndpoint',
    summary: 'Get the endpoint',
    description: 'How documents reach the client, the circuit of its endpoint, and its answers in the last hour.',
  })
  @ApiData(EndpointView, 'The endpoint.')
  async endpoint(@CurrentCaller() { environmentUuid }: Caller): Promise<Enveloped<EndpointView>> {
    return enveloped(await this.describeEndpoint.describe(environmentUuid));
  }

  @Post('endpoint/test')
  @Access('session')
  @HttpCode(200)
  @ApiOperation({
    operationId: 'testEndpoint',
    summary: 'Send a test push',
    description:
      'Sends one signed push of a made-up text file and waits for the answer, at most ten seconds. It has the header `Docfetch-Test: true`, and `identity_uuid` and `connection_uuid` consist of zeros: a receiver that books documents tests for the header, after the signature, and answers 200. It changes neither the circuit nor the delivery of documents.',
  })
  @ApiData(EndpointTestView, 'The request and its response.')
  @ApiErrors('NO_PUSH_ENDPOINT')
  async test(@CurrentCaller() caller: Caller): Promise<Enveloped<EndpointTestView>> {
    return enveloped(await this.testEndpoint.test(caller));
  }

  @Get('transactions/:transaction_uuid/attempts')
  @Access('session')
  @Owned(TRANSACTION)
  @ApiOperation({
    operationId: 'inspectAttempts',
    summary: 'List attempts with requests and responses',
    description:
      'Every attempt to push the document, oldest first, with its request and the response of the endpoint. Requests are not stored: they are rebuilt from the document as it is now. Credentials, signatures and the content are masked.',
  })
  @ApiPage(InspectedAttemptView, 'A page of attempts.')
  attempts(@Resource() transaction: Transaction, @Query() query: PageQuery): Promise<Page<InspectedAttemptView>> {
    return this.inspectAttempts.list(transaction, query);
  }
}
