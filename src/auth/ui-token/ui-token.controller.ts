import { Controller, Post, UseGuards } from '@nestjs/common';
import { ApiBody, ApiOperation, ApiTags } from '@nestjs/swagger';
import { IdentityFromBodyGuard } from '../../identities/identity-from-body.guard';
import { Access, type Caller, CurrentCaller } from '../../platform/http/access/access.decorator';
import { ApiData, type Enveloped, enveloped } from '../../platform/errors/envelope';
import { ApiErrors } from '../../platform/errors/api-errors';
import { Idempotent } from '../../platform/http/idempotency/idempotency.interceptor';
import { BodyFor } from '../../platform/http/input/validate-input';
import { TokenRequestGuard } from './token-request.guard';
import { IssueUiToken } from './issue-ui-token';
import { CreateTokenDto } from './ui-token.dto';
import { UiTokenView } from './ui-token.view';

@ApiTags('UI token')
@Controller()
@UseGuards(IdentityFromBodyGuard, TokenRequestGuard)
export class UiTokenController {
  constructor(private readonly issue: IssueUiToken) {}

  @Post('token')
  @Access('key')
  @ApiOperation({
    operationId: 'createToken',
    summary: 'Open the hosted UI for an identity',
    description:
      'Creates a UI token for an identity; send the user to `ui_url`. When the user has finished, the browser is sent to `return_url` with the result and a signature. `POST /token` is the documented path; `POST /v1/token` is an alias.',
  })
  @ApiBody({ type: CreateTokenDto })
  @ApiData(UiTokenView, 'The token and the URL of the hosted UI.', 201)
  @ApiErrors('NOT_YOUR_IDENTITY', 'NOT_YOUR_CONNECTION', 'NOT_ALLOWED_BY_TOKEN', 'NO_API_KEY')
  @Idempotent(201)
  async create(
    @CurrentCaller() caller: Caller,
    @BodyFor(() => CreateTokenDto) dto: CreateTokenDto,
  ): Promise<Enveloped<UiTokenView>> {
    return enveloped(await this.issue.issue(caller, dto));
  }

  @Post('v1/token')
  @Access('key')
  @ApiOperation({
    operationId: 'createTokenV1',
    summary: 'Open the hosted UI for an identity (alias)',
    description: 'The same as `POST /token`, for clients that use one prefix for all paths.',
  })
  @ApiBody({ type: CreateTokenDto })
  @ApiData(UiTokenView, 'The token and the URL of the hosted UI.', 201)
  @ApiErrors('NOT_YOUR_IDENTITY', 'NOT_YOUR_CONNECTION', 'NOT_ALLOWED_BY_TOKEN', 'NO_API_KEY')
  @Idempotent(201)
  createAlias(
    @CurrentCaller() caller: Caller,
    @BodyFor(() => CreateTokenDto) dto: CreateTokenDto,
  ): Promise<Enveloped<UiTokenView>> {
    return this.create(caller, dto);
  }
}
