import { Body, Controller, Delete, Get, Header, HttpCode, Post, Req, Res, UseGuards } from '@nestjs/common';
import { ApiBody, ApiOperation, ApiResponse, ApiTags } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { Settings } from '../../platform/config/settings';
import { ApiErrors } from '../../platform/errors/api-errors';
import { ApiData, type Enveloped, enveloped } from '../../platform/errors/envelope';
import { Access, type Caller, CurrentCaller } from '../../platform/http/access/access.decorator';
import { sessionCookieName, sessionCookieOptions, SESSION_SECONDS } from '../console-session/session-cookie';
import { OpenConsoleSessionDto } from './console-session.dto';
import { consoleSessionView, ConsoleSessionView } from './console-session.view';
import { DescribeConsoleSession } from './describe-console-session';
import { EndConsoleSession } from './end-console-session';
import { OpenConsoleSession } from './open-console-session';
import { SameOriginGuard } from './same-origin.guard';

const SET_COOKIE = {
  'Set-Cookie': {
    description: 'The cookie of the session: `HttpOnly`, `SameSite=Strict`, and with https `Secure` and `__Host-`.',
    schema: { type: 'string' as const },
    example:
      '__Host-docfetch_console=u1Z9x0T3m2b5nJc0Tt6h5wXkqWmGZgQ8pLr4sVd7yAE; Max-Age=28800; Path=/; HttpOnly; Secure; SameSite=Strict',
  },
};

@ApiTags('Console')
@Controller('v1/console/session')
export class ConsoleSessionController {
  constructor(
    private readonly openSession: OpenConsoleSession,
    private readonly describeSession: DescribeConsoleSession,
    private readonly endSession: EndConsoleSession,
    private readonly settings: Settings,
  ) {}

  @Post()
  @Access('none')
  @UseGuards(SameOriginGuard)
  @Header('Cache-Control', 'no-store')
  @ApiOperation({
    operationId: 'openConsoleSession',
    summary: 'Sign in to the console',
    description:
      'Signs in with a link of the support team, which can be used once, or with an API key, and sets the cookie of the session. The session lasts 8 hours; that of a key ends with the key. Only for pages of the service itself. A failed sign-in counts as a failed authentication.',
    security: [],
  })
  @ApiBody({ type: OpenConsoleSessionDto })
  @ApiData(ConsoleSessionView, 'The session.', 201)
  @ApiResponse({ status: 201, headers: SET_COOKIE })
  @ApiErrors(
    'INVALID_CONSOLE_LINK',
    'INVALID_API_KEY',
    'ADDRESS_NOT_ALLOWED',
    'ORIGIN_NOT_ALLOWED',
    'RATE_LIMITED',
    'ENVIRONMENT_MOVING',
    'ENVIRONMENT_MOVED',
  )
  async open(
    @Body() dto: OpenConsoleSessionDto,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<Enveloped<ConsoleSessionView>> {
    const { session, secret } = await this.openSession.open(dto, request);
    const { publicUrl } = this.settings;
    const options = { ...sessionCookieOptions(publicUrl), maxAge: SESSION_SECONDS * 1000 };
    response.cookie(sessionCookieName(publicUrl), secret, options);
    return enveloped(consoleSessionView(session, secret));
  }

  @Get()
  @Access('cookie')
  @ApiOperation({
    operationId: 'getConsoleSession',
    summary: 'Get the session of the console',
    description:
      'The session of this browser, with the CSRF token that all other requests of the session must send. The cookie suffices.',
  })
  @ApiData(ConsoleSessionView, 'The session.')
  async get(@CurrentCaller() caller: Caller, @Req() request: Request): Promise<Enveloped<ConsoleSessionView>> {
    return enveloped(await this.describeSession.describe(caller, request));
  }

  @Delete()
  @Access('session')
  @HttpCode(204)
  @ApiOperation({
    operationId: 'endConsoleSession',
    summary: 'Sign out of the console',
    description: 'Ends the session of this browser immediately, and removes its cookie.',
  })
  @ApiResponse({ status: 204, description: 'The session has ended.', headers: SET_COOKIE })
  async end(@CurrentCaller() caller: Caller, @Res({ passthrough: true }) response: Response): Promise<void> {
    const { publicUrl } = this.settings;
    await this.endSession.end(caller.actor, caller.session!.uuid, 'console.sign-out');
    response.clearCookie(sessionCookieName(publicUrl), sessionCookieOptions(publicUrl));
  }
}
