import { Body, Controller, Post } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { Access, type Caller, CurrentCaller } from '../platform/http/access';
import { ApiData, type Enveloped, enveloped } from '../platform/http/envelope';
import { Fails } from '../platform/http/error-bodies';
import { IssueUiToken } from './issue-ui-token';
import { CreateTokenDto } from './ui-token.dto';
import { UiTokenView } from './ui-token.view';

@ApiTags('UI token')
@Controller()
export class UiTokenController {
  constructor(private readonly issue: IssueUiToken) {}

  @Post('token')
  @Access('key')
  @ApiOperation({
    operationId: 'createToken',
    summary: 'Open the hosted UI for an identity',
    description: 'Send the user to `ui_url`. Also served as `POST /v1/token`.',
  })
  @ApiData(UiTokenView, 'The token and where to send the user.', 201)
  @Fails(401, 403, 413, 422, 429)
  async create(@CurrentCaller() caller: Caller, @Body() dto: CreateTokenDto): Promise<Enveloped<UiTokenView>> {
    return enveloped(await this.issue.run(caller, dto));
  }

  @Post('v1/token')
  @Access('key')
  @ApiOperation({
    operationId: 'createTokenV1',
    summary: 'Open the hosted UI for an identity (alias)',
    description: 'The same as `POST /token`.',
  })
  @ApiData(UiTokenView, 'The token and where to send the user.', 201)
  @Fails(401, 403, 413, 422, 429)
  createAlias(@CurrentCaller() caller: Caller, @Body() dto: CreateTokenDto): Promise<Enveloped<UiTokenView>> {
    return this.create(caller, dto);
  }
}
