import { Controller, Delete, HttpCode } from '@nestjs/common';
import { ApiOperation, ApiResponse, ApiTags } from '@nestjs/swagger';
import type { Identity } from '../../identities/identity.entity';
import { IDENTITY } from '../../identities/identity-resource';
import { Access, type Caller, CurrentCaller } from '../../platform/http/access/access.decorator';
import { Owned, Resource } from '../../platform/http/access/owned.decorator';
import { DeleteIdentity } from './delete-identity';

/** In this module, because an identity is deleted with its connections. */
@ApiTags('Identities')
@Controller('v1/identities')
export class IdentityDeletionController {
  constructor(private readonly deleteIdentity: DeleteIdentity) {}

  @Delete(':identity_uuid')
  @Access('key')
  @HttpCode(204)
  @Owned(IDENTITY, { unrestricted: true })
  @ApiOperation({
    operationId: 'deleteIdentity',
    summary: 'Delete an identity and all its data',
    description:
      'Irreversible: deletes all its connections with their credentials, fetches, transactions, documents and pending deliveries. Its UI tokens become invalid. The response is sent after everything is deleted, which takes a while for an identity with very many documents.',
  })
  @ApiResponse({ status: 204, description: 'Deleted.' })
  delete(@CurrentCaller() caller: Caller, @Resource() identity: Identity): Promise<void> {
    return this.deleteIdentity.delete(caller, identity);
  }
}
