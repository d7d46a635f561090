import { Body, Controller, Get, HttpCode, Param, Post, Put, Res } from '@nestjs/common';
import { ApiOperation, ApiParam, ApiProperty, ApiResponse, ApiSchema, ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { FieldView, fieldView, OptionView, optionView } from '../../integrations/core/views/field.view';
import { Access, type Caller, CurrentCaller } from '../../platform/http/access/access.decorator';
import { CONNECTION } from '../access/connection-resource';
import { Owned, Resource } from '../../platform/http/access/owned.decorator';
import { ApiData, type Enveloped, enveloped } from '../../platform/errors/envelope';
import { ApiErrors } from '../../platform/errors/api-errors';
import { MoreOptionsDto, SaveStep2Dto } from './step2.dto';
import type { ConnectionRecord } from '../state/connection-record';
import { CREDENTIAL_CHECK_ERRORS } from '../credentials/credential-check';
import { SaveStep2 } from './save-step2';
import { Step2Loader } from './step2-loader';

@ApiSchema({ description: "The second step of a connection's setup." })
export class Step2View {
  @ApiProperty({ type: [FieldView], description: 'Its fields, with the first level of options.' })
  fields: FieldView[];
}

@ApiSchema({ description: 'The second step is saved, and the user has to grant further permissions at the provider.' })
export class FurtherConsentView {
  @ApiProperty({
    format: 'uri',
    description: "The address to which the end user's browser must be sent; valid for one hour.",
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
    description: 'Their parent option; null on the first level.',
    example: 'INBOX/2026',
  })
  parent_id: string | null;

  @ApiProperty({ type: [OptionView], description: 'The options.' })
  options: OptionView[];
}

@ApiTags('Connections')
@Controller('v1/connections/:uuid/step2')
@Owned(CONNECTION)
export class Step2Controller {
  constructor(
    private readonly step2: Step2Loader,
    private readonly saveStep2: SaveStep2,
  ) {}

  @Get()
  @Access('token')
  @ApiOperation({
    operationId: 'getStep2',
    summary: 'Get the fields of the second step',
    description: 'Loads the first level of options from the provider.',
  })
  @ApiData(Step2View, 'The fields.')
  @ApiErrors('STEP_NOT_AVAILABLE', ...CREDENTIAL_CHECK_ERRORS)
  async get(@Resource() connection: ConnectionRecord): Promise<Enveloped<Step2View>> {
    const fields = await this.step2.loadFields(connection);
    return enveloped({ fields: fields.map((field) => fieldView(field, connection.step2)) });
  }

  @Put()
  @Access('token')
  @ApiOperation({
    operationId: 'saveStep2',
    summary: 'Save the second step',
    description:
      'For a new connection, this completes the setup and starts the first fetch. If the selection requires permissions that the user has not granted at the provider, the response is 200 with an `authorization_url`; the setup is complete after that authorization.',
  })
  @ApiData(FurtherConsentView, 'Saved; the user has to grant further permissions at the provider.')
  @ApiResponse({ status: 204, description: 'Saved.' })
  @ApiErrors('STEP_NOT_AVAILABLE', ...CREDENTIAL_CHECK_ERRORS)
  async save(
    @CurrentCaller() caller: Caller,
    @Resource() connection: ConnectionRecord,
    @Body() dto: SaveStep2Dto,
    @Res({ passthrough: true }) response: Response,
  ): Promise<Enveloped<FurtherConsentView> | undefined> {
    const url = await this.saveStep2.save(caller, connection, dto);
    response.status(url === null ? 204 : 200);
    return url === null ? undefined : enveloped({ authorization_url: url });
  }

  @Post(':field_id/more')
  @Access('token')
  @HttpCode(200)
  @ApiOperation({
    operationId: 'loadMoreOptions',
    summary: 'Load further options of a field',
    description: 'Loads long lists and folder trees level by level.',
  })
  @ApiParam({ name: 'field_id', description: 'The field.', example: 'folders' })
  @ApiData(MoreOptionsView, 'The options below the parent.')
  @ApiErrors('FIELD_NOT_FOUND', 'STEP_NOT_AVAILABLE', ...CREDENTIAL_CHECK_ERRORS)
  async more(
    @Resource() connection: ConnectionRecord,
    @Param('field_id') fieldId: string,
    @Body() dto: MoreOptionsDto,
  ): Promise<Enveloped<MoreOptionsView>> {
    const options = await this.step2.loadOptions(connection, fieldId, dto.parent_id ?? undefined);
    return enveloped({ field_id: fieldId, parent_id: dto.parent_id ?? null, options: options.map(optionView) });
  }
}
