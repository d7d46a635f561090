import { Controller, Get, Headers, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { Response } from 'express';
import { Settings } from '../config/settings';
import { Access } from '../http/access/access.decorator';
import { notFound } from '../errors/errors';
import { ReadMetrics } from './read-metrics';

/** For operators, therefore not part of the OpenAPI document. Not available without `METRICS_TOKEN`, or with `METRICS_PORT`. */
@ApiExcludeController()
@Controller('metrics')
export class MetricsController {
  constructor(
    private readonly readMetrics: ReadMetrics,
    private readonly settings: Settings,
  ) {}

  @Get()
  @Access('none')
  async read(@Headers('authorization') authorization: string | undefined, @Res() response: Response): Promise<void> {
    if (this.settings.metricsToken === null || this.settings.metricsPort !== null) throw notFound('ROUTE_NOT_FOUND');
    response.setHeader('WWW-Authenticate', 'Bearer');
    const text = await this.readMetrics.read(authorization);
    response.removeHeader('WWW-Authenticate');
    response.type(this.readMetrics.contentType).send(text);
  }
}
