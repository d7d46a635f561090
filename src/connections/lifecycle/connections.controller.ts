import { Body, Controller, Delete, Get, HttpCode, Post, Put, Query, Res, UseGuards } from '@nestjs/common';
import { ApiBody, ApiOperation, ApiResponse, ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import type { Identity } from '../../identities/identity.entity';
import { IdentityFromBody, IdentityFromBodyGuard } from '../../identities/identity-from-body.guard';
import { Access, type Caller, CurrentCaller } from '../../platform/http/access/access.decorator';
import { CONNECTION } from '../access/connection-resource';
import { Owned, Resource } from '../../platform/http/access/owned.decorator';
import { ApiData, ApiPage, type Enveloped, enveloped, type Page } from '../../platform/errors/envelope';
import { ApiErrors } from '../../platform/errors/api-errors';
import { LocationHeader } from '../../platform/http/headers/location-header';
import { Idempotent } from '../../platform/http/idempotency/idempotency.interceptor';
import { BodyFor } from '../../platform/http/input/validate-input';
import {
  CreateConnectionByKeyDto,
  CreateConnectionDto,
  ListConnectionsQuery,
  UpdateConnectionDto,
} from '../setup/connection.dto';
import type { ConnectionRecord } from '../state/connection-record';
import { ConnectionSetupView, connectionSetupView } from '../state/views/connection-setup.view';
import { ConnectionView } from '../state/views/connection.view';
import { CreateConnection } from './create-connection';
import { DeleteConnection } from '../deletion/delete-connection';
import { ListConnections } from './list-connections';
import { CREDENTIAL_CHECK_ERRORS } from '../credentials/credential-check';
import { ConnectionPresenter } from '../state/connection-presenter';
import { UpdateConnection } from './update-connection';
import { TokenScopeGuard } from '../access/token-scope.guard';

const bodyOfCreate = (caller: Caller) =>
  caller.identityUuid === null ? CreateConnectionByKeyDto : CreateConnectionDto;

@ApiTags('Connections')
@Controller('v1/connections')
export class ConnectionsController {
  constructor(
    private readonly listConnections: ListConnections,
    private readonly createConnection: CreateConnection,
    private readonly updateConnection: UpdateConnection,
    private readonly deleteConnection: DeleteConnection,
    private readonly presenter: ConnectionPresenter,
  ) {}

  @Get()
  @Access('token')
  @ApiOperation({
    operationId: 'listConnections',
    summary: 'List the connections of the identity',
    description: 'Returns all connections unless `limit` is set.',
  })
  @ApiPage(ConnectionView, 'The connections, oldest first.')
  list(@CurrentCaller() caller: Caller, @Query() query: ListConnectionsQuery): Promise<Page<ConnectionView>> {
    return this.listConnections.list(caller, caller.identityUuid!, query, 'everything');
  }

  @Post()
  @Access('token', 'key')
  @UseGuards(IdentityFromBodyGuard, TokenScopeGuard)
  @ApiOperation({
    operationId: 'createConnection',
    summary: 'Create a connection (step 1)',
    description:
      'The credentials are checked with the provider for at most ten seconds; nothing is stored if they are rejected or the provider cannot be reached. If the integration uses OAuth (`auth_type` `OAUTH2`), send the browser of your user to `authorization_url`. With a second step, the connection stays `PENDING` until `PUT …/step2` has been called with a UI token, by the hosted UI or by you.',
  })
  @ApiBody({ type: CreateConnectionDto })
  @ApiData(ConnectionSetupView, 'The connection, with the fields of the second step if there is one.', 201)
  @ApiErrors('NOT_YOUR_IDENTITY', 'NOT_ALLOWED_BY_TOKEN', 'INTEGRATION_NOT_AVAILABLE', ...CREDENTIAL_CHECK_ERRORS)
  @LocationHeader('/v1/connections/{uuid}')
  @Idempotent(201)
  async create(
    @CurrentCaller() caller: Caller,
    @IdentityFromBody() identity: Identity,
    @BodyFor(bodyOfCreate) dto: CreateConnectionDto,
  ): Promise<Enveloped<ConnectionSetupView>> {
    const { connection, step2Fields, authorizationUrl } = await this.createConnection.create(caller, identity, dto);
    return enveloped(
      connectionSetupView(await this.presenter.presentOne(connection), connection, step2Fields, authorizationUrl),
    );
  }

  @Get(':uuid')
  @Access('token', 'key')
  @Owned(CONNECTION)
  @ApiOperation({
    operationId: 'getConnection',
    summary: 'Get a connection',
    description: 'Its status, its health with the reason, and its last and next fetch.',
  })
  @ApiData(ConnectionView, 'The connection.')
  async get(@Resource() connection: ConnectionRecord): Promise<Enveloped<ConnectionView>> {
    return enveloped(await this.presenter.presentOne(connection));
  }

  @Put(':uuid')
  @Access('token')
  @Owned(CONNECTION)
  @ApiOperation({
    operationId: 'updateConnection',
    summary: 'Change step 1 or the name',
    description:
      'The old credentials stay until the new ones are accepted. After the credentials are fixed, fetching resumes where it stopped. With `auth_type` `OAUTH2` and a missing or invalid authorization, send `fields` (empty if nothing changes): the response contains an `authorization_url`.',
  })
  @ApiData(ConnectionSetupView, 'Changed; the user may have to review the second step, or has to authorize.', 200)
  @ApiResponse({ status: 204, description: 'Changed.' })
  @ApiErrors('ACCOUNT_MISMATCH', 'STARTDATE_BEFORE_MIGRATION', ...CREDENTIAL_CHECK_ERRORS)
  async update(
    @CurrentCaller() caller: Caller,
    @Resource() connection: ConnectionRecord,
    @Body() dto: UpdateConnectionDto,
    @Res({ passthrough: true }) response: Response,
  ): Promise<Enveloped<ConnectionSetupView> | undefined> {
    const updated = await this.updateConnection.update(caller, connection, dto);
    const { connection: changed, step2Fields, authorizationUrl } = updated;
    const isDone = step2Fields === null && authorizationUrl === null;
    response.status(isDone ? 204 : 200);
    if (isDone) return undefined;
    return enveloped(
      connectionSetupView(await this.presenter.presentOne(changed), changed, step2Fields, authorizationUrl),
    );
  }

  @Delete(':uuid')
  @Access('token', 'key')
  @HttpCode(204)
  @Owned(CONNECTION)
  @ApiOperation({
    operationId: 'deleteConnection',
    summary: 'Delete a connection and all its data',
    description: 'Irreversible: deletes its credentials, fetches, transactions, documents and pending deliveries.',
  })
  @ApiResponse({ status: 204, description: 'Deleted.' })
  delete(@CurrentCaller() caller: Caller, @Resource() connection: ConnectionRecord): Promise<void> {
    return this.deleteConnection.delete(caller, connection);
  }
}
