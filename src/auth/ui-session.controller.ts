import { Controller, Get, HttpCode, Post, UseGuards } from '@nestjs/common';
import { ApiBody, ApiOperation, ApiTags } from '@nestjs/swagger';
import { Access } from '../platform/http/access';
import { ApiData, type Enveloped, enveloped } from '../platform/http/envelope';
import { Fails } from '../platform/http/error-bodies';
import { BodyFor } from '../platform/http/validate-input';
import { DescribeUiSession } from './describe-ui-session';
import { ReturnFromUi } from './return-from-ui';
import { ReturnFromUiDto } from './return-from-ui.dto';
import { type AboutConnection, ReturnedConnection, ReturnedConnectionGuard } from './returned-connection';
import { CurrentUiCaller, type UiCaller } from './ui-caller';
import { ReturnView, UiSessionView } from './ui-session.view';

@ApiTags('UI token')
@Controller('v1/ui')
export class UiSessionController {
  constructor(
    private readonly describeSession: DescribeUiSession,
    private readonly returnFromUi: ReturnFromUi,
  ) {}

  @Get('session')
  @Access('token')
  @ApiOperation({
    operationId: 'getUiSession',
    summary: 'Get what the UI token is for',
    description: 'For user interfaces: whose connections to show, what to offer, in which language and colours.',
  })
  @ApiData(UiSessionView, 'The session.')
  @Fails(401, 403, 429)
  async session(@CurrentUiCaller() caller: UiCaller): Promise<Enveloped<UiSessionView>> {
    return enveloped(await this.describeSession.run(caller));
  }

  @Post('return')
  @Access('token')
  @HttpCode(200)
  @UseGuards(ReturnedConnectionGuard)
  @ApiOperation({
    operationId: 'createReturnUrl',
    summary: 'Get the signed return address',
    description:
      'Where to send the user when the visit ends: the `return_url` of the token with `result`, `action`, `identity_uuid`, `connection_uuid`, `integration_id`, `status`, `state`, `ts`, `nonce` and `sig` added. Your backend verifies it before it believes it.',
  })
  @ApiBody({ type: ReturnFromUiDto })
  @ApiData(ReturnView, 'The address.')
  @Fails(401, { 403: ['NOT_YOUR_CONNECTION', 'NOT_ALLOWED_BY_TOKEN'] }, 413, 422, 429)
  async return(
    @CurrentUiCaller() caller: UiCaller,
    @ReturnedConnection() connection: AboutConnection,
    @BodyFor(() => ReturnFromUiDto) dto: ReturnFromUiDto,
  ): Promise<Enveloped<ReturnView>> {
    return enveloped(await this.returnFromUi.run(caller, dto, connection));
  }
}
