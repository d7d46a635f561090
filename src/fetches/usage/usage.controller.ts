import { Controller, Get, Query, Res } from '@nestjs/common';
import { ApiOperation, ApiProduces, ApiResponse, ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { ApiErrors } from '../../platform/errors/api-errors';
import { ApiPage, type Page } from '../../platform/errors/envelope';
import { Access, type Caller, CurrentCaller } from '../../platform/http/access/access.decorator';
import { environmentOrAll } from '../../platform/http/access/all-environments';
import { sendCsv } from '../../platform/http/csv/send-csv';
import { ExportUsage, type UsageExportRow } from './export-usage';
import { ListUsage } from './list-usage';
import { UsageExportQuery, UsageQuery } from './usage.dto';
import { EnvironmentUsage } from './usage.view';

const COLUMNS = [
  ...(['month', 'environment_uuid', 'client_name', 'environment_name', 'kind'] as const),
  ...(['connections', 'fetches', 'documents', 'bytes'] as const),
] satisfies (keyof UsageExportRow)[];

@ApiTags('Console')
@Controller('v1/console')
export class UsageController {
  constructor(
    private readonly listUsage: ListUsage,
    private readonly exportUsage: ExportUsage,
  ) {}

  @Get('usage')
  @Access('session')
  @ApiOperation({
    operationId: 'listUsage',
    summary: 'List the usage by month',
    description: 'Every month of the range, oldest first, on one page; the current month so far.',
  })
  @ApiPage(EnvironmentUsage, 'All months of the range.')
  async list(@CurrentCaller() caller: Caller, @Query() query: UsageQuery): Promise<Page<EnvironmentUsage>> {
    const data = await this.listUsage.list(caller.environmentUuid, query);
    return { data, meta: { next_cursor: null, has_more: false } };
  }

  @Get('usage.csv')
  @Access('session')
  @ApiOperation({
    operationId: 'exportUsage',
    summary: 'Export the usage by month',
    description: `The months with usage as CSV (RFC 4180, UTF-8 with a byte order mark), with the columns ${COLUMNS.join(', ')}. A text that a spreadsheet program would take for a formula begins with an apostrophe.`,
  })
  @ApiProduces('text/csv')
  @ApiResponse({ status: 200, description: 'The file.', content: { 'text/csv': { schema: { type: 'string' } } } })
  @ApiErrors('SUPPORT_ONLY')
  async export(
    @CurrentCaller() caller: Caller,
    @Query() query: UsageExportQuery,
    @Res() response: Response,
  ): Promise<void> {
    const { months, rows } = this.exportUsage.export(environmentOrAll(caller, query), query);
    await sendCsv<UsageExportRow>(response, `usage-${months.from}-${months.to}.csv`, COLUMNS, rows);
  }
}
