import { Controller, Get, Query, UseGuards } from '@nestjs/common';
import { ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import type { ConnectionRecord } from '../../connections/state/connection-record';
import { NOT_OWN_CONNECTION, OwnConnection, OwnConnectionGuard } from '../../connections/access/own-connection.guard';
import { Access } from '../../platform/http/access/access.decorator';
import { ApiData, ApiPage, type Enveloped, enveloped, type Page } from '../../platform/errors/envelope';
import { ApiErrors } from '../../platform/errors/api-errors';
import { PageQuery } from '../../platform/http/input/page';
import type { Fetch } from '../history/fetch.entity';
import { FetchDetailView } from '../history/fetch-detail.view';
import { FetchView } from '../history/fetch.view';
import { GetFetch } from './get-fetch';
import { ListFetches } from './list-fetches';
import { NOT_OWN_FETCH, OwnFetch, OwnFetchGuard } from './own-fetch';

@ApiTags('Fetches')
@Controller('v1')
export class FetchHistoryController {
  constructor(
    private readonly listFetches: ListFetches,
    private readonly getFetch: GetFetch,
  ) {}

  @Get('connections/:uuid/fetches')
  @Access('token', 'key')
  @UseGuards(OwnConnectionGuard)
  @ApiParam({ name: 'uuid', format: 'uuid', description: 'The connection.' })
  @ApiOperation({
    operationId: 'listFetches',
    summary: 'List the fetches of a connection',
    description: 'Newest first, including queued and running ones.',
  })
  @ApiPage(FetchView, 'A page of fetches.')
  @ApiErrors(...NOT_OWN_CONNECTION)
  list(@OwnConnection() { uuid }: ConnectionRecord, @Query() query: PageQuery): Promise<Page<FetchView>> {
    return this.listFetches.list(uuid, query);
  }

  @Get('fetches/:uuid')
  @Access('token', 'key')
  @UseGuards(OwnFetchGuard)
  @ApiParam({ name: 'uuid', format: 'uuid', description: 'The fetch.' })
  @ApiOperation({
    operationId: 'getFetch',
    summary: 'Get a fetch',
    description: 'With the documents that could not be downloaded. Poll until it has a `finished_at`.',
  })
  @ApiData(FetchDetailView, 'The fetch.')
  @ApiErrors(...NOT_OWN_FETCH)
  async get(@OwnFetch() fetch: Fetch): Promise<Enveloped<FetchDetailView>> {
    return enveloped(await this.getFetch.get(fetch));
  }
}
