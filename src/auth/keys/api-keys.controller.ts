import { Body, Controller, Delete, Get, HttpCode, Post, Query } from '@nestjs/common';
import { ApiOperation, ApiResponse, ApiTags } from '@nestjs/swagger';
import { Clock } from '../../platform/clock/clock';
import { ApiData, ApiPage, type Enveloped, enveloped, type Page } from '../../platform/errors/envelope';
import { invalid } from '../../platform/errors/errors';
import { Access, type Caller, CurrentCaller } from '../../platform/http/access/access.decorator';
import { Owned, Resource } from '../../platform/http/access/owned.decorator';
import { IdempotentWithSecret } from '../../platform/http/idempotency/idempotency.interceptor';
import { PageQuery } from '../../platform/http/input/page';
import { API_KEY } from './api-key-resource';
import { IssueApiKeyDto } from './api-key.dto';
import type { ApiKey } from './api-key.entity';
import { apiKeyView, IssuedApiKeyView, ListedApiKeyView } from './api-key.view';
import { ListApiKeys } from './list-api-keys';
import { ManageKeys } from './manage-keys';

@ApiTags('Console')
@Controller('v1/console/keys')
export class ApiKeysController {
  constructor(
    private readonly keys: ManageKeys,
    private readonly listKeys: ListApiKeys,
    private readonly clock: Clock,
  ) {}

  @Get()
  @Access('session')
  @ApiOperation({
    operationId: 'listApiKeys',
    summary: 'List API keys, newest first',
    description: 'The keys of the environment with their last use, expired and revoked ones included.',
  })
  @ApiPage(ListedApiKeyView, 'A page of keys, without the keys themselves.')
  list(@CurrentCaller() caller: Caller, @Query() query: PageQuery): Promise<Page<ListedApiKeyView>> {
    return this.listKeys.list(caller, query);
  }

  @Post()
  @Access('support')
  @ApiOperation({
    operationId: 'issueApiKey',
    summary: 'Issue an API key',
    description:
      'Another key of the environment, optionally limited to scopes and to addresses. Only this response contains it. For the support team.',
  })
  @ApiData(IssuedApiKeyView, 'The key.', 201)
  @IdempotentWithSecret()
  async issue(@CurrentCaller() caller: Caller, @Body() dto: IssueApiKeyDto): Promise<Enveloped<IssuedApiKeyView>> {
    const now = this.clock.now();
    const limits = { scopes: dto.scopes, allowedIps: dto.allowed_ips };
    const { key, record } = await this.keys.issue(caller.actor, caller.environmentUuid, expiryOf(dto, now), limits);
    return enveloped({ ...apiKeyView(record, now), api_key: key });
  }

  @Delete(':key_uuid')
  @Access('session')
  @HttpCode(204)
  @Owned(API_KEY)
  @ApiOperation({
    operationId: 'revokeApiKey',
    summary: 'Revoke an API key',
    description:
      'It is rejected from now on, as are the UI tokens and console sessions that were made with it. It stays in the list. Repeating it changes nothing.',
  })
  @ApiResponse({ status: 204, description: 'Revoked.' })
  async revoke(@CurrentCaller() caller: Caller, @Resource() { uuid }: ApiKey): Promise<void> {
    await this.keys.revoke(caller.actor, uuid);
  }
}

/** @throws ApiError 422 naming `expires_at` when the key would have expired already */
function expiryOf({ expires_at: given }: IssueApiKeyDto, now: Date): Date | null {
  if (given == null) return null;
  const expiresAt = new Date(given);
  if (expiresAt <= now) throw invalid([{ field: 'expires_at', code: 'NOT_IN_FUTURE' }]);
  return expiresAt;
}
