import { Controller, Get, Header, Param, Query } from '@nestjs/common';
import { ApiExcludeEndpoint, ApiOperation, ApiParam, ApiProperty, ApiTags } from '@nestjs/swagger';
import { IsIn, IsOptional } from 'class-validator';
import { Settings } from '../platform/config/settings';
import { Access, type Caller, CurrentCaller } from '../platform/http/access/access.decorator';
import { isWithinTokenScope } from '../platform/http/access/token-scope';
import { ApiData, type Enveloped, enveloped, ApiPage, type Page } from '../platform/errors/envelope';
import { ApiErrors } from '../platform/errors/api-errors';
import { notFound } from '../platform/errors/errors';
import { IntegrationRegistry } from './integration-registry';
import type { Category, Integration } from './core/integration';
import { logoOf } from './core/logos/logo';
import {
  CATEGORY,
  expandedSummaryView,
  IntegrationSummaryView,
  integrationSummaryView,
  IntegrationView,
  integrationView,
} from './core/views/integration.view';

export class ListIntegrationsQuery {
  @ApiProperty({
    ...CATEGORY,
    required: false,
    description: 'Only this category.',
    example: 'MAILBOX',
  })
  @IsOptional()
  @IsIn(CATEGORY.enum)
  category?: Category;

  @ApiProperty({
    enum: ['step1_fields'],
    required: false,
    description: 'Adds the fields of the first setup step to every integration.',
    example: 'step1_fields',
  })
  @IsOptional()
  @IsIn(['step1_fields'])
  expand?: 'step1_fields';
}

@ApiTags('Integrations')
@Controller()
export class IntegrationsController {
  constructor(
    private readonly integrations: IntegrationRegistry,
    private readonly settings: Settings,
  ) {}

  @Get('v1/integrations')
  @Access('token', 'key')
  @ApiOperation({
    operationId: 'listIntegrations',
    summary: 'List the integrations',
    description:
      'All on one page; a token may be limited to one integration. The fields of the first step, from which a form can be rendered, are in the single integration, and here with `expand=step1_fields`.',
  })
  @ApiPage(IntegrationSummaryView, 'All integrations of your environment, in the language of the request.')
  list(@CurrentCaller() caller: Caller, @Query() query: ListIntegrationsQuery): Page<IntegrationSummaryView> {
    const wanted = this.integrations
      .list(caller.isTest)
      .filter((integration) => !query.category || integration.category === query.category)
      .filter(({ id }) => isWithinTokenScope(caller, { integrationId: id }));
    return {
      data: wanted.map((integration) => this.summary(integration, query.expand !== undefined)),
      meta: { next_cursor: null, has_more: false },
    };
  }

  @Get('v1/integrations/:integration_id')
  @Access('token', 'key')
  @ApiOperation({
    operationId: 'getIntegration',
    summary: 'Get an integration',
    description: 'With the fields of its first step, in the language of the request.',
  })
  @ApiParam({ name: 'integration_id', description: 'The integration.', example: 'imap' })
  @ApiData(IntegrationView, 'The integration.')
  @ApiErrors('INTEGRATION_NOT_FOUND')
  get(@CurrentCaller() caller: Caller, @Param('integration_id') id: string): Enveloped<IntegrationView> {
    const integration = this.integrations.find(id, caller.isTest);
    if (!integration) throw notFound('INTEGRATION_NOT_FOUND');
    const available = this.integrations.isAvailable(integration);
    return enveloped(integrationView(integration, available, this.settings.publicUrl));
  }

  private summary(integration: Integration, isExpanded: boolean): IntegrationSummaryView {
    const view = isExpanded ? expandedSummaryView : integrationSummaryView;
    return view(integration, this.integrations.isAvailable(integration), this.settings.publicUrl);
  }

  @Get('logos/:file')
  @Access('none')
  @Header('Content-Type', 'image/svg+xml')
  @ApiExcludeEndpoint()
  logo(@Param('file') file: string): string {
    const integration = this.integrations.list(true).find(({ id }) => `${id}.svg` === file);
    if (!integration) throw notFound('ROUTE_NOT_FOUND');
    return logoOf(integration);
  }
}
