import { Body, Controller, Get, HttpCode, Param, Post, Put, Res, UseGuards } from '@nestjs/common';
import { ApiOperation, ApiParam, ApiProperty, ApiResponse, ApiSchema, ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { FieldView, fieldView, OptionView, optionView } from '../../integrations/core/field.view';
import { Access, type Caller, CurrentCaller } from '../../platform/http/access/access.decorator';
import { ApiData, type Enveloped, enveloped } from '../../platform/errors/envelope';
import { ApiErrors, type Refusals } from '../../platform/openapi/error-bodies';
import { MoreOptionsDto, SaveStep2Dto } from './step2.dto';
import type { ConnectionFacts } from '../state/connection-facts';
import { LIVE_CALL_FAILED } from '../credentials/live-call';
import { NOT_OWN_CONNECTION, OwnConnection, OwnConnectionGuard } from '../access/own-connection';
import { SaveStep2 } from './save-step2';
import { Step2 } from './step2';

const STEP_NOT_AVAILABLE: Refusals = { 422: ['STEP_NOT_AVAILABLE'] };

@ApiSchema({ description: 'The second setup step of a connection.' })
export class Step2View {
  @ApiProperty({ type: [FieldView], description: 'Its fields, with the first level of their options.' })
  fields: FieldView[];
}

@ApiSchema({ description: 'The second step is saved, and the user has to agree to more at the provider.' })
export class FurtherConsentView {
  @ApiProperty({
    format: 'uri',
    description: 'Where the browser of the end user has to go; good for an hour.',
    example: 'https://docfetch.example.com/oauth/start?link=u1Z9x0T3m2b5nJc0Tt6h5wXkqWmGZgQ8pLr4sVd7yAE',
  })
  authorization_url: string;
}

@ApiSchema({ description: 'Further options of a field.' })
export class MoreOptionsView {
  @ApiProperty({ description: 'The field.', example: 'folders' })
  field_id: string;

  @ApiProperty({
    type: String,
    nullable: true,
    description: 'The option that they are below; null on the first level.',
    example: 'INBOX/2026',
  })
  parent_id: string | null;

  @ApiProperty({ type: [OptionView], description: 'The options.' })
  options: OptionView[];
}

@ApiTags('Connections')
@ApiParam({ name: 'uuid', format: 'uuid', description: 'The connection.' })
@Controller('v1/connections/:uuid/step2')
@UseGuards(OwnConnectionGuard)
export class Step2Controller {
  constructor(
    private readonly step2: Step2,
    private readonly saveStep2: SaveStep2,
  ) {}

  @Get()
  @Access('token')
  @ApiOperation({
    operationId: 'getStep2',
    summary: 'Get the fields of the second step',
    description: 'With the first level of options, from the provider.',
  })
  @ApiData(Step2View, 'The fields.')
  @ApiErrors(401, NOT_OWN_CONNECTION, STEP_NOT_AVAILABLE, LIVE_CALL_FAILED, 429)
  async get(@OwnConnection() connection: ConnectionFacts): Promise<Enveloped<Step2View>> {
    const fields = await this.step2.fields(connection);
    return enveloped({ fields: fields.map((field) => fieldView(field, connection.step2)) });
  }

  @Put()
  @Access('token')
  @ApiOperation({
    operationId: 'saveStep2',
    summary: 'Save the second step',
    description:
      'For a new connection this completes the setup, and the first fetch follows at once. Where the choice needs more than the user has granted at the provider, the answer is 200 with an `authorization_url`: the setup is complete when the user has been there.',
  })
  @ApiData(FurtherConsentView, 'Saved; the user has to agree to more at the provider.')
  @ApiResponse({ status: 204, description: 'Saved.' })
  @ApiErrors(401, NOT_OWN_CONNECTION, 413, STEP_NOT_AVAILABLE, LIVE_CALL_FAILED, 429)
  async save(
    @CurrentCaller() caller: Caller,
    @OwnConnection() connection: ConnectionFacts,
    @Body() dto: SaveStep2Dto,
    @Res({ passthrough: true }) response: Response,
  ): Promise<Enveloped<FurtherConsentView> | undefined> {
    const url = await this.saveStep2.run(caller, connection, dto);
    response.status(url === null ? 204 : 200);
    return url === null ? undefined : enveloped({ authorization_url: url });
  }

  @Post(':field_id/more')
  @Access('token')
  @HttpCode(200)
  @ApiOperation({
    operationId: 'loadMoreOptions',
    summary: 'Load further options of a field',
    description: 'For long lists and folder trees, level by level.',
  })
  @ApiParam({ name: 'field_id', description: 'The field.', example: 'folders' })
  @ApiData(MoreOptionsView, 'The options below the parent.')
  @ApiErrors(401, NOT_OWN_CONNECTION, { 404: ['FIELD_NOT_FOUND'] }, 413, STEP_NOT_AVAILABLE, LIVE_CALL_FAILED, 429)
  async more(
    @OwnConnection() connection: ConnectionFacts,
    @Param('field_id') fieldId: string,
    @Body() dto: MoreOptionsDto,
  ): Promise<Enveloped<MoreOptionsView>> {
    const options = await this.step2.more(connection, fieldId, dto.parent_id ?? undefined);
    return enveloped({ field_id: fieldId, parent_id: dto.parent_id ?? null, options: options.map(optionView) });
  }
}
