import { Controller, Get, Header, HttpCode, Post, Req, UseGuards } from '@nestjs/common';
import { ApiBody, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { Request } from 'express';
import { parseCookies } from '../../connections/oauth/oauth-cookies';
import { Access } from '../../platform/http/access/access.decorator';
import { ApiData, type Enveloped, enveloped } from '../../platform/errors/envelope';
import { ApiErrors } from '../../platform/errors/api-errors';
import { BodyFor } from '../../platform/http/input/validate-input';
import { DescribeUiSession } from './describe-ui-session';
import { ResumeUiSession } from './resume-ui-session';
import { RestoreUiSession } from './restore-ui-session';
import { RestoredSessionView, RestoreSessionDto } from './restored-session.view';
import { ResumedSessionView, ResumeSessionDto } from './resumed-session.view';
import { CreateUiReturn } from './create-ui-return';
import { ReturnFromUiDto } from './ui-return.dto';
import { type AboutConnection, UiReturnConnection, UiReturnConnectionGuard } from './ui-return-connection.guard';
import { CurrentUiCaller, type UiCaller } from '../tokens/ui-caller';
import { ReturnView, UiSessionView } from './ui-session.view';

@ApiTags('UI token')
@Controller('v1/ui')
export class UiSessionController {
  constructor(
    private readonly describeSession: DescribeUiSession,
    private readonly createUiReturn: CreateUiReturn,
    private readonly resumeSession: ResumeUiSession,
    private readonly restoreSession: RestoreUiSession,
  ) {}

  @Get('session')
  @Access('token')
  @ApiOperation({
    operationId: 'getUiSession',
    summary: 'Get the session of a UI token',
    description: 'For user interfaces: the identity, the allowed actions, the language and the theme.',
  })
  @ApiData(UiSessionView, 'The session.')
  async session(@CurrentUiCaller() caller: UiCaller): Promise<Enveloped<UiSessionView>> {
    return enveloped(await this.describeSession.describe(caller));
  }

  @Post('session/resume')
  @Access('none')
  @HttpCode(200)
  @Header('Cache-Control', 'no-store')
  @ApiOperation({
    operationId: 'resumeUiSession',
    summary: 'Continue after an authorization at a provider',
    description:
      'For the hosted UI, to which the browser returns with `resume` in the URL: returns a token for continuing and the result of the authorization. Only a successful authorization extends the session, once, and only for its connection; after any other result the token keeps its expiry. The request needs the cookie of the browser that was at the provider.',
    security: [],
  })
  @ApiBody({ type: ResumeSessionDto })
  @ApiData(ResumedSessionView, 'The continued session.')
  @ApiErrors('INVALID_TOKEN', 'RESUME_CODE_INVALID')
  async resume(
    @BodyFor(() => ResumeSessionDto) { code }: ResumeSessionDto,
    @Req() request: Request,
  ): Promise<Enveloped<ResumedSessionView>> {
    return enveloped(await this.resumeSession.resume(code, parseCookies(request.headers.cookie)));
  }

  @Post('session/restore')
  @Access('none')
  @HttpCode(200)
  @Header('Cache-Control', 'no-store')
  @ApiOperation({
    operationId: 'restoreUiSession',
    summary: 'Continue after a reload',
    description:
      'For the hosted UI, which loses its token when the browser reloads it: returns the token of the session again, with the same scope and the same expiry. The request needs `reload_reference` of `GET /v1/ui/session`, and the cookie of the browser that this was requested with. A failed request counts as a failed authentication.',
    security: [],
  })
  @ApiBody({ type: RestoreSessionDto })
  @ApiData(RestoredSessionView, 'The session.')
  @ApiErrors('INVALID_TOKEN', 'TOKEN_EXPIRED', 'RATE_LIMITED')
  async restore(
    @BodyFor(() => RestoreSessionDto) { reference }: RestoreSessionDto,
    @Req() request: Request,
  ): Promise<Enveloped<RestoredSessionView>> {
    return enveloped(await this.restoreSession.restore(reference, request));
  }

  @Post('return')
  @Access('token')
  @HttpCode(200)
  @UseGuards(UiReturnConnectionGuard)
  @ApiOperation({
    operationId: 'createReturnUrl',
    summary: 'Get the signed return URL',
    description:
      'The URL to send the user to at the end of the session: the `return_url` of the token with `result`, `action`, `identity_uuid`, `connection_uuid`, `integration_id`, `status`, `state`, `ts`, `nonce` and `sig` added. Your backend must verify the signature.',
  })
  @ApiBody({ type: ReturnFromUiDto })
  @ApiData(ReturnView, 'The return URL.')
  @ApiErrors('NOT_YOUR_CONNECTION', 'NOT_ALLOWED_BY_TOKEN', 'NO_RETURN_URL')
  async return(
    @CurrentUiCaller() caller: UiCaller,
    @UiReturnConnection() connection: AboutConnection,
    @BodyFor(() => ReturnFromUiDto) dto: ReturnFromUiDto,
  ): Promise<Enveloped<ReturnView>> {
    return enveloped(await this.createUiReturn.create(caller, dto, connection));
  }
}
