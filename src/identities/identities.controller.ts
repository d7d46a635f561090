import { EntityManager } from '@mikro-orm/postgresql';
import { Body, Controller, Get, Patch, Post, Query, Res } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { Access, type Caller, CurrentCaller } from '../platform/http/access/access.decorator';
import { IDENTITY } from './identity-resource';
import { Owned, Resource } from '../platform/http/access/owned.decorator';
import { ApiData, ApiPage, type Enveloped, enveloped, type Page } from '../platform/errors/envelope';
import { ApiErrors } from '../platform/errors/api-errors';
import { LocationHeader } from '../platform/http/headers/location-header';
import { Idempotent } from '../platform/http/idempotency/idempotency.interceptor';
import { countConnections } from './count-connections';
import { CreateIdentity } from './create-identity';
import { CreateIdentityDto, ListIdentitiesQuery, UpdateIdentityDto } from './identity.dto';
import type { Identity } from './identity.entity';
import { IdentityView, identityView } from './identity.view';
import { ListIdentities } from './list-identities';
import { UpdateIdentity } from './update-identity';

@ApiTags('Identities')
@Controller('v1/identities')
export class IdentitiesController {
  constructor(
    private readonly em: EntityManager,
    private readonly createIdentity: CreateIdentity,
    private readonly listIdentities: ListIdentities,
    private readonly updateIdentity: UpdateIdentity,
  ) {}

  @Post()
  @Access('key')
  @ApiOperation({
    operationId: 'createIdentity',
    summary: 'Register an identity',
    description:
      'Safe to repeat: a request with the same data returns the existing identity with 200 instead of creating a second one.',
  })
  @ApiData(IdentityView, 'The new identity.', 201)
  @ApiData(IdentityView, 'The existing identity, which has the same data.', 200)
  @ApiErrors('NOT_ALLOWED_BY_TOKEN', 'CLIENT_IDENTIFIER_TAKEN')
  @LocationHeader('/v1/identities/{identity_uuid}')
  @Idempotent(200, 201)
  async create(
    @CurrentCaller() caller: Caller,
    @Body() dto: CreateIdentityDto,
    @Res({ passthrough: true }) response: Response,
  ): Promise<Enveloped<IdentityView>> {
    const { identity, created } = await this.createIdentity.create(caller, dto);
    response.status(created ? 201 : 200);
    return this.toView(identity);
  }

  @Get()
  @Access('key')
  @ApiOperation({
    operationId: 'listIdentities',
    summary: 'List identities',
    description: 'All identities of your environment, oldest first.',
  })
  @ApiPage(IdentityView, 'A page of identities.')
  list(@CurrentCaller() caller: Caller, @Query() query: ListIdentitiesQuery): Promise<Page<IdentityView>> {
    return this.listIdentities.list(caller, query);
  }

  @Get(':identity_uuid')
  @Access('token', 'key')
  @Owned(IDENTITY)
  @ApiOperation({
    operationId: 'getIdentity',
    summary: 'Get an identity',
    description: 'Includes the number of its connections and their state. A token reads only its own identity.',
  })
  @ApiData(IdentityView, 'The identity.')
  get(@Resource() identity: Identity): Promise<Enveloped<IdentityView>> {
    return this.toView(identity);
  }

  @Patch(':identity_uuid')
  @Access('key')
  @Owned(IDENTITY, { unrestricted: true })
  @ApiOperation({
    operationId: 'updateIdentity',
    summary: 'Change an identity',
    description:
      'A JSON merge patch: omitted members stay unchanged, null clears. The `client_identifier` of another identity is rejected with 422 `CLIENT_IDENTIFIER_TAKEN`.',
  })
  @ApiData(IdentityView, 'The updated identity.')
  @ApiErrors('CLIENT_IDENTIFIER_TAKEN')
  async update(
    @CurrentCaller() caller: Caller,
    @Resource() { uuid }: Identity,
    @Body() dto: UpdateIdentityDto,
  ): Promise<Enveloped<IdentityView>> {
    return this.toView(await this.updateIdentity.update(caller, uuid, dto));
  }

  private async toView(identity: Identity): Promise<Enveloped<IdentityView>> {
    const counts = await countConnections(this.em, [identity.uuid]);
    return enveloped(identityView(identity, counts(identity.uuid)));
  }
}
