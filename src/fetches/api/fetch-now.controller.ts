import { Controller, HttpCode, Post, Res, UseInterceptors } from '@nestjs/common';
import { ApiOperation, ApiResponse, ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import type { ConnectionRecord } from '../../connections/state/connection-record';
import { Access, type Caller, CurrentCaller } from '../../platform/http/access/access.decorator';
import { CONNECTION } from '../../connections/access/connection-resource';
import { Owned, Resource } from '../../platform/http/access/owned.decorator';
import { ApiErrors } from '../../platform/errors/api-errors';
import { LocationHeader } from '../../platform/http/headers/location-header';
import { Idempotent } from '../../platform/http/idempotency/idempotency.interceptor';
import { appendQuotaHeaders } from '../../platform/rate-limit/rate-limit-headers';
import { FetchNow } from './fetch-now';
import { FetchQueuedView } from '../history/fetch.view';
import { FetchQuotaHeaders } from './fetch-quota-headers.interceptor';

@ApiTags('Fetches')
@Controller('v1/connections/:uuid/fetch-now')
@UseInterceptors(FetchQuotaHeaders)
export class FetchNowController {
  constructor(private readonly fetchNow: FetchNow) {}

  @Post()
  @Access('token', 'key')
  @HttpCode(202)
  @Owned(CONNECTION)
  @ApiOperation({
    operationId: 'fetchNow',
    summary: 'Fetch now',
    description:
      'Queues a fetch ahead of the schedule; its documents are delivered as usual. At most five per hour and connection; refused requests do not count. While a scheduled fetch is due within one minute, or overdue for up to two, the response is 409, because that fetch finds the same documents.',
  })
  @ApiResponse({ status: 202, description: 'Queued.', type: FetchQueuedView })
  @ApiErrors('SCHEDULED_FETCH_DUE', 'CONNECTION_NOT_ACTIVE', 'FETCH_QUOTA_EXCEEDED')
  @LocationHeader('/v1/fetches/{uuid}')
  @Idempotent(202)
  async now(
    @CurrentCaller() caller: Caller,
    @Resource() connection: ConnectionRecord,
    @Res({ passthrough: true }) response: Response,
  ): Promise<FetchQueuedView> {
    const { uuid, quota } = await this.fetchNow.queue(connection.uuid, caller.actor);
    appendQuotaHeaders(response, quota);
    return { uuid };
  }
}
