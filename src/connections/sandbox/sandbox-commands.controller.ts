import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import { ApiOperation, ApiResponse, ApiTags } from '@nestjs/swagger';
import { Access, type Caller, CurrentCaller } from '../../platform/http/access/access.decorator';
import { CONNECTION } from '../access/connection-resource';
import { Owned, Resource } from '../../platform/http/access/owned.decorator';
import { ApiData, type Enveloped, enveloped } from '../../platform/errors/envelope';
import { ApiErrors } from '../../platform/errors/api-errors';
import { LocationHeader } from '../../platform/http/headers/location-header';
import { Idempotent } from '../../platform/http/idempotency/idempotency.interceptor';
import type { ConnectionRecord } from '../state/connection-record';
import { PlaceDocuments } from './place-documents';
import { PlacedDocumentsView } from './placed-documents.view';
import { PlaceDocumentsDto, SetScenarioDto } from './sandbox-commands.dto';
import { SANDBOX_ERRORS } from './sandbox-policy';
import { SetScenario } from './set-scenario';

@ApiTags('Sandbox')
@Controller('v1/sandbox/connections/:uuid')
@Owned(CONNECTION, {
  parameter: {
    description: 'A connection with `sandbox` or `sandbox_oauth`.',
    example: '019a9f6e-2c41-7c5e-9d0a-1b7c2f3e4d5a',
  },
})
export class SandboxCommandsController {
  constructor(
    private readonly setScenario: SetScenario,
    private readonly placeDocuments: PlaceDocuments,
  ) {}

  @Post('scenario')
  @Access('key')
  @HttpCode(204)
  @ApiOperation({
    operationId: 'setSandboxScenario',
    summary: 'Set the scenario of a sandbox portal',
    description:
      'The portal of this connection behaves according to the scenario until another one is set; `normal` repairs it. The next fetch of the connection is affected; trigger it with `POST /v1/connections/{uuid}/fetch-now`. Test environments only.',
  })
  @ApiResponse({ status: 204, description: 'The scenario is set.' })
  @ApiErrors(...SANDBOX_ERRORS)
  scenario(
    @CurrentCaller() caller: Caller,
    @Resource() connection: ConnectionRecord,
    @Body() { scenario }: SetScenarioDto,
  ): Promise<void> {
    return this.setScenario.set(caller, connection, scenario);
  }

  @Post('documents')
  @Access('key')
  @HttpCode(202)
  @ApiOperation({
    operationId: 'placeSandboxDocuments',
    summary: 'Add documents to a sandbox portal',
    description:
      'Real documents, dated today: PDFs, valid XRechnung XML files or ZUGFeRD PDFs. After the next fetch, `Location` lists them. Test environments only.',
  })
  @ApiData(PlacedDocumentsView, 'The documents are in the portal.', 202)
  @ApiErrors(...SANDBOX_ERRORS)
  @LocationHeader('/v1/transactions?connection_uuid={uuid}')
  @Idempotent(202)
  async documents(
    @CurrentCaller() caller: Caller,
    @Resource() connection: ConnectionRecord,
    @Body() dto: PlaceDocumentsDto,
  ): Promise<Enveloped<PlacedDocumentsView>> {
    return enveloped({ documents: await this.placeDocuments.place(caller, connection, dto) });
  }
}
