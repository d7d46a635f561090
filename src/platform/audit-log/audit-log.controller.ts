import { Controller, Get, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { ApiErrors } from '../errors/api-errors';
import { ApiPage, type Page } from '../errors/envelope';
import { Access, type Caller, CurrentCaller } from '../http/access/access.decorator';
import { environmentOrAll } from '../http/access/all-environments';
import { periodOf } from '../http/input/period';
import { DEFAULT_LIMIT, pageOf, uuidCursor } from '../http/input/page';
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
      environmentUuid: environmentOrAll(caller, query),
      actor,
      action,
      subjectUuid,
      ...periodOf(query),
      before: uuidCursor(query),
      limit: limit + 1,
    });
    const { page, meta } = pageOf(rows, limit);
    return {
      data: page.map(auditEntryView),
      meta,
    };
  }
}
