import { Controller, Delete, Get, HttpCode, Param, Query } from '@nestjs/common';
import { ApiOperation, ApiParam, ApiResponse, ApiTags } from '@nestjs/swagger';
import { ApiErrors } from '../../platform/errors/api-errors';
import { ApiPage, type Page } from '../../platform/errors/envelope';
import { Access, type Caller, CurrentCaller } from '../../platform/http/access/access.decorator';
import { ConsoleSessionSummaryView, ListConsoleSessionsQuery } from './console-session-summary.view';
import { ListConsoleSessions } from './list-console-sessions';
import { RevokeConsoleSession } from './revoke-console-session';

@ApiTags('Console')
@Controller('v1/console/sessions')
@Access('session')
export class ConsoleSessionsController {
  constructor(
    private readonly listSessions: ListConsoleSessions,
    private readonly revokeSession: RevokeConsoleSession,
  ) {}

  @Get()
  @ApiOperation({
    operationId: 'listConsoleSessions',
    summary: 'List the sessions of the console',
    description:
      'The sessions that have not ended, newest first: for the role `DEVELOPER` those of developers in the environment, for the role `SUPPORT` all.',
  })
  @ApiPage(ConsoleSessionSummaryView, 'The sessions.')
  list(
    @CurrentCaller() caller: Caller,
    @Query() query: ListConsoleSessionsQuery,
  ): Promise<Page<ConsoleSessionSummaryView>> {
    return this.listSessions.list(caller, query);
  }

  @Delete(':session_uuid')
  @HttpCode(204)
  @ApiParam({
    name: 'session_uuid',
    format: 'uuid',
    description: 'The session.',
    example: '019a9f6e-2c41-7c5e-9d0a-1b7c2f3e4d5a',
  })
  @ApiOperation({
    operationId: 'revokeConsoleSession',
    summary: 'End a session of the console',
    description: 'Ends the session immediately. Repeating it has no effect.',
  })
  @ApiResponse({ status: 204, description: 'The session has ended.' })
  @ApiErrors('VALIDATION_FAILED', 'SESSION_NOT_FOUND', 'NOT_YOUR_SESSION')
  revoke(@CurrentCaller() caller: Caller, @Param('session_uuid') uuid: string): Promise<void> {
    return this.revokeSession.revoke(caller, uuid);
  }
}
