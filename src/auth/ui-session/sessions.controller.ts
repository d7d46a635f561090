import { Controller, Delete, HttpCode, UseGuards } from '@nestjs/common';
import { ApiOperation, ApiParam, ApiResponse, ApiTags } from '@nestjs/swagger';
import type { Identity } from '../../identities/identity.entity';
import {
  NOT_OWN_IDENTITY,
  TOKEN_RESTRICTED,
  OwnIdentity,
  OwnIdentityGuard,
  UnrestrictedTokenGuard,
} from '../../identities/own-identity.guard';
import { Access, type Caller, CurrentCaller } from '../../platform/http/access/access.decorator';
import { ApiErrors } from '../../platform/errors/api-errors';
import { EndSessions } from './end-sessions';

@ApiTags('Identities')
@Controller('v1/identities/:identity_uuid/sessions')
export class SessionsController {
  constructor(private readonly endSessions: EndSessions) {}

  @Delete()
  @Access('key')
  @HttpCode(204)
  @UseGuards(OwnIdentityGuard, UnrestrictedTokenGuard)
  @ApiParam({ name: 'identity_uuid', format: 'uuid', description: 'The identity.' })
  @ApiOperation({
    operationId: 'endSessions',
    summary: 'End all sessions of an identity',
    description:
      'All UI tokens of the identity become invalid immediately (401 `INVALID_TOKEN`). Use it when a user logs out of your application, or when a token was disclosed. `POST /token` issues new ones.',
  })
  @ApiResponse({ status: 204, description: 'The sessions have ended.' })
  @ApiErrors(...NOT_OWN_IDENTITY, ...TOKEN_RESTRICTED)
  end(@CurrentCaller() caller: Caller, @OwnIdentity() identity: Identity): Promise<void> {
    return this.endSessions.end(caller, identity);
  }
}
