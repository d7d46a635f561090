import { Controller, Get, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { validate as isUuid } from 'uuid';
import { ApiErrors } from '../errors/api-errors';
import { ApiPage, type Page } from '../errors/envelope';
import { forbidden, invalid } from '../errors/errors';
import { Access, type Caller, CurrentCaller } from '../http/access/access.decorator';
import { decodeCursor, DEFAULT_LIMIT, encodeCursor } from '../http/input/page';
import { auditEntryView, AuditEntryView } from './audit-entry.view';
import { AuditLogQuery } from './audit-log.dto';
import { ListAudit } from './list-audit';

@ApiTags('Console')
@Controller('v1/console/audit')
export class AuditLogController {
  constructor(private readonly listAudit: ListAudit) {}

  @Get()
  @Access('session')
  @ApiOperation({
    operationId: 'listAuditLog',
    summary: 'List the audit log, newest first',
    description:
      'Every change by the API, the console and the command line, with its actor. Developers see the changes in their environment; the support team can ask for those of all environments.',
  })
  @ApiPage(AuditEntryView, 'A page of changes.')
  @ApiErrors('SUPPORT_ONLY')
  async list(@CurrentCaller() caller: Caller, @Query() query: AuditLogQuery): Promise<Page<AuditEntryView>> {
    const { limit = DEFAULT_LIMIT, actor, action, subject_uuid: subjectUuid } = query;
    const rows = await this.listAudit.list({
      environmentUuid: environmentOf(caller, query),
      actor,
      action,
      subjectUuid,
      ...periodOf(query),
      before: query.cursor
        ? decodeCursor<[string]>(query.cursor, ([uuid, ...rest]) => isUuid(uuid) && rest.length === 0)[0]
        : undefined,
      limit: limit + 1,
    });
    const page = rows.slice(0, limit);
    const hasMore = rows.length > limit;
    return {
      data: page.map(auditEntryView),
      meta: { next_cursor: hasMore ? encodeCursor([page.at(-1)!.uuid]) : null, has_more: hasMore },
    };
  }
}

/** @throws ApiError 403 `SUPPORT_ONLY` when a developer asks for other environments */
function environmentOf({ environmentUuid, session }: Caller, query: AuditLogQuery): string | null {
  if (query.all_environments !== 'true') return environmentUuid;
  if (session?.role !== 'SUPPORT') throw forbidden('SUPPORT_ONLY');
  return null;
}

/** @throws ApiError 422 naming `to` when the period does not end after its beginning */
function periodOf({ from, to }: AuditLogQuery): { from?: Date; to?: Date } {
  if (from !== undefined && to !== undefined && Date.parse(to) <= Date.parse(from)) {
    throw invalid([{ field: 'to', code: 'NOT_LATER' }]);
  }
  return { ...(from !== undefined && { from: new Date(from) }), ...(to !== undefined && { to: new Date(to) }) };
}
