import { EntityManager } from '@mikro-orm/postgresql';
import { Controller, Get, Logger, Res, ServiceUnavailableException } from '@nestjs/common';
import { ApiExtraModels, ApiOperation, ApiResponse, ApiTags } from '@nestjs/swagger';
import { type HealthCheckResult, HealthCheckService, HealthIndicatorService } from '@nestjs/terminus';
import type { Response } from 'express';
import { Shutdown } from '../availability/shutdown';
import { sql } from '../database/sql';
import { Access } from '../http/access/access.decorator';
import { HealthIndicatorView, LivenessView, ReadinessView, readinessView } from './health.view';

@ApiTags('Health')
@Controller('health')
export class HealthController {
  private readonly logger = new Logger(HealthController.name);

  constructor(
    private readonly health: HealthCheckService,
    private readonly indicators: HealthIndicatorService,
    private readonly em: EntityManager,
    private readonly shutdown: Shutdown,
  ) {}

  @Get('live')
  @Access('none')
  @ApiOperation({
    operationId: 'getLiveness',
    summary: 'Check whether the process is running',
    description: 'Restart the process when this fails.',
  })
  @ApiResponse({ status: 200, description: 'The process is running.', type: LivenessView })
  live(): LivenessView {
    return { status: 'ok' };
  }

  @Get('ready')
  @Access('none')
  @ApiOperation({
    operationId: 'getReadiness',
    summary: 'Check whether the service is ready',
    description:
      'Do not route traffic to this instance while this fails. It fails as soon as the process is asked to end, while it still answers requests.',
  })
  @ApiExtraModels(HealthIndicatorView)
  @ApiResponse({ status: 200, description: 'The service is ready.', type: ReadinessView })
  @ApiResponse({ status: 503, description: 'The service is not ready at the moment.', type: ReadinessView })
  async ready(@Res({ passthrough: true }) response: Response): Promise<ReadinessView> {
    try {
      const view = readinessView(await this.health.check([() => this.database()]));
      if (!this.shutdown.hasBegun) return view;
      response.status(503);
      return { ...view, status: 'shutting_down' };
    } catch (error) {
      if (!(error instanceof ServiceUnavailableException)) throw error;
      response.status(error.getStatus());
      return readinessView(error.getResponse() as HealthCheckResult);
    }
  }

  private async database() {
    const indicator = this.indicators.check('database');
    try {
      const [row] = await sql<{ only: boolean }>(
        this.em.fork(),
        `select current_setting('transaction_read_only')::boolean as only`,
      );
      if (row!.only) throw new Error('The database is read-only: it is a standby, or configured so.');
      return indicator.up();
    } catch (error) {
      this.logger.warn(error, 'The database cannot be used');
      return indicator.down();
    }
  }
}
