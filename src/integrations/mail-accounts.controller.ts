import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { ApiErrors } from '../platform/errors/api-errors';
import { ApiData, type Enveloped, enveloped } from '../platform/errors/envelope';
import { Access, type Caller, CurrentCaller } from '../platform/http/access/access.decorator';
import { DiscoverMailAccount } from './discover-mail-account';
import { DiscoverMailAccountDto } from './mail-account.dto';
import { MailAccountView } from './mail-account.view';

@ApiTags('Integrations')
@Controller('v1/mail-accounts')
export class MailAccountsController {
  constructor(private readonly discoverMailAccount: DiscoverMailAccount) {}

  @Post('discover')
  @HttpCode(200)
  @Access('token', 'key')
  @ApiOperation({
    operationId: 'discoverMailAccount',
    summary: 'Find out how a mailbox is connected',
    description:
      'From its address: the integration, and what can be filled in for the user, who then enters only the password or authorizes access. Known providers are recognized by the domain or by the servers that receive its mail; other domains are asked for their server. Takes up to six seconds. The address is not stored and not passed on.',
  })
  @ApiData(MailAccountView, 'The integration, with the fields to fill in.')
  @ApiErrors('NOT_ALLOWED_BY_TOKEN')
  async discover(
    @CurrentCaller() caller: Caller,
    @Body() { email }: DiscoverMailAccountDto,
  ): Promise<Enveloped<MailAccountView>> {
    return enveloped(await this.discoverMailAccount.discover(caller, email));
  }
}
