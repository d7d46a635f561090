import { Controller, Delete, HttpCode } from '@nestjs/common';
import { ApiOperation, ApiResponse, ApiTags } from '@nestjs/swagger';
import type { Identity } from '../../identities/identity.entity';
import { Access, type Caller, CurrentCaller } from '../../platform/http/access/access.decorator';
import { IDENTITY } from '../../identities/identity-resource';
import { Owned, Resource } from '../../platform/http/access/owned.decorator';
import { EndSessions } from './end-sessions';

@ApiTags('Identities')
@Controller('v1/identities/:identity_uuid/sessions')
export class SessionsController {
  constructor(private readonly endSessions: EndSessions) {}

  @Delete()
  @Access('key')
  @HttpCode(204)
  @Owned(IDENTITY, { unrestricted: true })
  @ApiOperation({
    operationId: 'endSessions',
    summary: 'End all sessions of an identity',
    description:
      'All UI tokens of the identity become invalid immediately (401 `INVALID_TOKEN`). Use it when a user logs out of your application, or when a token was disclosed. `POST /token` issues new ones.',
  })
  @ApiResponse({ status: 204, description: 'The sessions have ended.' })
  end(@CurrentCaller() caller: Caller, @Resource() identity: Identity): Promise<void> {
    return this.endSessions.end(caller, identity);
  }
}
