import { Controller, Post, UseGuards } from '@nestjs/common';
import { ApiBody, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { Identity } from '../../identities/identity.entity';
import { IdentityFromBody, IdentityFromBodyOr404Guard } from '../../identities/identity-from-body.guard';
import { Access, type Caller, CurrentCaller } from '../../platform/http/access/access.decorator';
import { ApiData, type Enveloped, enveloped } from '../../platform/errors/envelope';
import { ApiErrors } from '../../platform/errors/api-errors';
import { LocationHeader } from '../../platform/http/headers/location-header';
import { Idempotent } from '../../platform/http/idempotency/idempotency.interceptor';
import { BodyFor } from '../../platform/http/input/validate-input';
import { MigrateConnectionDto } from '../setup/connection.dto';
import { ConnectionSetupView, connectionSetupView } from '../state/views/connection-setup.view';
import { MigrateConnection } from './migrate-connection';
import { ConnectionPresenter } from '../state/connection-presenter';
import { TokenScopeGuard } from '../access/token-scope.guard';

@ApiTags('Connections')
@Controller('v1/connections/migrate')
export class MigrationController {
  constructor(
    private readonly migrateConnection: MigrateConnection,
    private readonly presenter: ConnectionPresenter,
  ) {}

  @Post()
  @Access('key')
  @UseGuards(IdentityFromBodyOr404Guard, TokenScopeGuard)
  @ApiOperation({
    operationId: 'migrateConnection',
    summary: 'Migrate an existing connection',
    description:
      'Stores the credentials without a live check. If the integration uses OAuth, the connection is `INVALID_CREDENTIALS` until the user has authorized: send the user to `authorization_url`, or to the hosted UI later. Documents from the day of the migration on are fetched. Delete the credentials from your own storage afterwards.',
  })
  @ApiBody({ type: MigrateConnectionDto })
  @ApiData(ConnectionSetupView, 'The connection.', 201)
  @ApiErrors('NOT_YOUR_IDENTITY', 'NOT_ALLOWED_BY_TOKEN', 'IDENTITY_NOT_FOUND')
  @LocationHeader('/v1/connections/{uuid}')
  @Idempotent(201)
  async migrate(
    @CurrentCaller() caller: Caller,
    @IdentityFromBody() identity: Identity,
    @BodyFor(() => MigrateConnectionDto) dto: MigrateConnectionDto,
  ): Promise<Enveloped<ConnectionSetupView>> {
    const { connection, authorizationUrl } = await this.migrateConnection.migrate(caller, identity, dto);
    return enveloped(
      connectionSetupView(await this.presenter.presentOne(connection), connection, null, authorizationUrl),
    );
  }
}
