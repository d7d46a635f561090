import { Controller, Get, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import type { ConnectionRecord } from '../../connections/state/connection-record';
import { Access } from '../../platform/http/access/access.decorator';
import { CONNECTION } from '../../connections/access/connection-resource';
import { FETCH } from './fetch-resource';
import { Owned, Resource } from '../../platform/http/access/owned.decorator';
import { ApiData, ApiPage, type Enveloped, enveloped, type Page } from '../../platform/errors/envelope';
import { PageQuery } from '../../platform/http/input/page';
import type { Fetch } from '../history/fetch.entity';
import { FetchDetailView } from '../history/fetch-detail.view';
import { FetchView } from '../history/fetch.view';
import { GetFetch } from './get-fetch';
import { ListFetches } from './list-fetches';

@ApiTags('Fetches')
@Controller('v1')
export class FetchHistoryController {
  constructor(
    private readonly listFetches: ListFetches,
    private readonly getFetch: GetFetch,
  ) {}

  @Get('connections/:uuid/fetches')
  @Access('token', 'key')
  @Owned(CONNECTION)
  @ApiOperation({
    operationId: 'listFetches',
    summary: 'List the fetches of a connection',
    description: 'Newest first, including queued and running ones.',
  })
  @ApiPage(FetchView, 'A page of fetches.')
  list(@Resource() { uuid }: ConnectionRecord, @Query() query: PageQuery): Promise<Page<FetchView>> {
    return this.listFetches.list(uuid, query);
  }

  @Get('fetches/:uuid')
  @Access('token', 'key')
  @Owned(FETCH)
  @ApiOperation({
    operationId: 'getFetch',
    summary: 'Get a fetch',
    description: 'With the documents that could not be downloaded. Poll until it has a `finished_at`.',
  })
  @ApiData(FetchDetailView, 'The fetch.')
  async get(@Resource() fetch: Fetch): Promise<Enveloped<FetchDetailView>> {
    return enveloped(await this.getFetch.get(fetch));
  }
}
