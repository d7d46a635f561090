import { Body, Controller, HttpCode, Post, UseGuards } from '@nestjs/common';
import { ApiOperation, ApiParam, ApiResponse, ApiTags } from '@nestjs/swagger';
import { Access, type Caller, CurrentCaller } from '../../platform/http/access/access.decorator';
import { ApiData, type Enveloped, enveloped } from '../../platform/errors/envelope';
import { ApiErrors } from '../../platform/openapi/error-bodies';
import { LocationHeader } from '../../platform/http/headers/location-header';
import { Idempotent } from '../../platform/http/idempotency/idempotency.interceptor';
import type { ConnectionFacts } from '../state/connection-facts';
import { NOT_OWN_CONNECTION, OwnConnection, OwnConnectionGuard } from '../access/own-connection';
import { PlaceDocuments } from './place-documents';
import { PlacedDocumentsView } from './placed-documents.view';
import { PlaceDocumentsDto, SetScenarioDto } from './sandbox-commands.dto';
import { NO_SANDBOX } from './sandbox-connection';
import { SetScenario } from './set-scenario';

@ApiTags('Sandbox')
@ApiParam({
  name: 'uuid',
  format: 'uuid',
  description: 'A connection with `sandbox` or `sandbox_oauth`.',
  example: '019a9f6e-2c41-7c5e-9d0a-1b7c2f3e4d5a',
})
@Controller('v1/sandbox/connections/:uuid')
@UseGuards(OwnConnectionGuard)
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
    summary: 'Break or repair a sandbox portal',
    description:
      'From now on the portal of this connection behaves like that, until another scenario is set: `normal` repairs it. The connection notices with its next fetch; `POST /v1/connections/{uuid}/fetch-now` brings that about. Test environments only.',
  })
  @ApiResponse({ status: 204, description: 'The portal behaves like that.' })
  @ApiErrors(401, NOT_OWN_CONNECTION, 413, NO_SANDBOX, 429)
  scenario(
    @CurrentCaller() caller: Caller,
    @OwnConnection() connection: ConnectionFacts,
    @Body() { scenario }: SetScenarioDto,
  ): Promise<void> {
    return this.setScenario.set(caller, connection, scenario);
  }

  @Post('documents')
  @Access('key')
  @HttpCode(202)
  @ApiOperation({
    operationId: 'placeSandboxDocuments',
    summary: 'Put documents into a sandbox portal',
    description:
      'Real documents, dated today: PDFs, valid XRechnungen or ZUGFeRD PDFs. The next fetch brings them, and they are listed at `Location` then. Test environments only.',
  })
  @ApiData(PlacedDocumentsView, 'They are in the portal.', 202)
  @ApiErrors(401, NOT_OWN_CONNECTION, 413, NO_SANDBOX, 429)
  @LocationHeader('/v1/transactions?connection_uuid={uuid}')
  @Idempotent(202)
  async documents(
    @CurrentCaller() caller: Caller,
    @OwnConnection() connection: ConnectionFacts,
    @Body() dto: PlaceDocumentsDto,
  ): Promise<Enveloped<PlacedDocumentsView>> {
    return enveloped({ documents: await this.placeDocuments.place(caller, connection, dto) });
  }
}
