import { Controller, Get, HttpCode, Post, Req, UseGuards } from '@nestjs/common';
import { ApiBody, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { Request } from 'express';
import { parseCookies } from '../../connections/oauth/oauth-cookies';
import { Access } from '../../platform/http/access/access.decorator';
import { ApiData, type Enveloped, enveloped } from '../../platform/errors/envelope';
import { ApiErrors } from '../../platform/openapi/error-bodies';
import { BodyFor } from '../../platform/http/input/validate-input';
import { DescribeUiSession } from './describe-ui-session';
import { ResumeUiSession } from './resume-ui-session';
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
    private readonly returnFromUi: CreateUiReturn,
    private readonly resumeSession: ResumeUiSession,
  ) {}

  @Get('session')
  @Access('token')
  @ApiOperation({
    operationId: 'getUiSession',
    summary: 'Get what the UI token is for',
    description: 'For user interfaces: whose connections to show, what to offer, in which language and colours.',
  })
  @ApiData(UiSessionView, 'The session.')
  @ApiErrors(401, 403, 429)
  async session(@CurrentUiCaller() caller: UiCaller): Promise<Enveloped<UiSessionView>> {
    return enveloped(await this.describeSession.describe(caller));
  }

  @Post('session/resume')
  @Access('none')
  @HttpCode(200)
  @ApiOperation({
    operationId: 'resumeUiSession',
    summary: 'Go on after an authorisation at a provider',
    description:
      'For the hosted UI, which the browser comes back to with `resume` in its address: answers a token to go on with, and what came of the authorisation. Only a successful authorisation continues the session, once, for its connection alone; after any other the token keeps its end. Only the browser that was at the provider can do so: its cookie has to come along.',
    security: [],
  })
  @ApiBody({ type: ResumeSessionDto })
  @ApiData(ResumedSessionView, 'The session goes on.')
  @ApiErrors({ 401: ['INVALID_TOKEN'] }, 413, { 422: ['RESUME_CODE_INVALID'] })
  async resume(
    @BodyFor(() => ResumeSessionDto) { code }: ResumeSessionDto,
    @Req() request: Request,
  ): Promise<Enveloped<ResumedSessionView>> {
    return enveloped(await this.resumeSession.resume(code, parseCookies(request.headers.cookie)));
  }

  @Post('return')
  @Access('token')
  @HttpCode(200)
  @UseGuards(UiReturnConnectionGuard)
  @ApiOperation({
    operationId: 'createReturnUrl',
    summary: 'Get the signed return address',
    description:
      'Where to send the user when the visit ends: the `return_url` of the token with `result`, `action`, `identity_uuid`, `connection_uuid`, `integration_id`, `status`, `state`, `ts`, `nonce` and `sig` added. Your backend verifies it before it believes it.',
  })
  @ApiBody({ type: ReturnFromUiDto })
  @ApiData(ReturnView, 'The address.')
  @ApiErrors(401, { 403: ['NOT_YOUR_CONNECTION', 'NOT_ALLOWED_BY_TOKEN'] }, 413, { 422: ['NO_RETURN_URL'] }, 429)
  async return(
    @CurrentUiCaller() caller: UiCaller,
    @UiReturnConnection() connection: AboutConnection,
    @BodyFor(() => ReturnFromUiDto) dto: ReturnFromUiDto,
  ): Promise<Enveloped<ReturnView>> {
    return enveloped(await this.returnFromUi.create(caller, dto, connection));
  }
}
