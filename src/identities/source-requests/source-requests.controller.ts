import { Body, Controller, HttpCode, Post, Res, UseGuards } from '@nestjs/common';
import { ApiOperation, ApiResponse, ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { ApiErrors } from '../../platform/errors/api-errors';
import { Access, type Caller, CurrentCaller } from '../../platform/http/access/access.decorator';
import { UnrestrictedTokenGuard } from '../../platform/http/access/unrestricted-token.guard';
import { Idempotent } from '../../platform/http/idempotency/idempotency.interceptor';
import { appendQuotaHeaders } from '../../platform/rate-limit/rate-limit-headers';
import { RequestSource } from './request-source';
import { RequestSourceDto } from './source-request.dto';

@ApiTags('UI token')
@Controller('v1/ui/source-requests')
export class SourceRequestsController {
  constructor(private readonly requestSource: RequestSource) {}

  @Post()
  @Access('token')
  @HttpCode(204)
  @UseGuards(UnrestrictedTokenGuard)
  @ApiOperation({
    operationId: 'requestSource',
    summary: 'Ask for a missing source',
    description:
      'Passes what the user misses to you, as the event `source.requested` of `GET /v1/events` and of the webhooks that subscribe to it. Nothing else follows from it. At most ten within 24 hours for each identity; a token for one connection or integration is rejected.',
  })
  @ApiResponse({ status: 204, description: 'Recorded.' })
  @ApiErrors('NOT_ALLOWED_BY_TOKEN', 'SOURCE_REQUEST_QUOTA_EXCEEDED')
  @Idempotent(204)
  async request(
    @CurrentCaller() caller: Caller,
    @Body() { text }: RequestSourceDto,
    @Res({ passthrough: true }) response: Response,
  ): Promise<void> {
    appendQuotaHeaders(response, await this.requestSource.request(caller, caller.identityUuid!, text));
  }
}
