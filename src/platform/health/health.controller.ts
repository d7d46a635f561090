import { EntityManager } from '@mikro-orm/postgresql';
import { Controller, Get } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { HealthCheck, type HealthCheckResult, HealthCheckService, HealthIndicatorService } from '@nestjs/terminus';
import { sql } from '../database/sql';
import { Access } from '../http/access';

@ApiTags('Health')
@Controller('health')
export class HealthController {
  constructor(
    private readonly health: HealthCheckService,
    private readonly indicators: HealthIndicatorService,
    private readonly em: EntityManager,
  ) {}

  @Get('live')
  @Access('none')
  @ApiOperation({
    operationId: 'getLiveness',
    summary: 'Whether the process runs',
    description: 'Restart it when this fails.',
  })
  live(): { status: 'ok' } {
    return { status: 'ok' };
  }

  @Get('ready')
  @Access('none')
  @HealthCheck()
  @ApiOperation({
    operationId: 'getReadiness',
    summary: 'Whether the service can answer requests',
    description: 'Send no traffic while this fails.',
  })
  ready(): Promise<HealthCheckResult> {
    return this.health.check([() => this.database()]);
  }

  private async database() {
    const indicator = this.indicators.check('database');
    try {
      await sql(this.em.fork(), 'select 1');
      return indicator.up();
    } catch {
      return indicator.down();
    }
  }
}
