import { Injectable } from '@nestjs/common';
import { createHash, timingSafeEqual } from 'node:crypto';
import { Settings } from '../config/settings';
import { unauthorized } from '../errors/errors';
import { Metrics } from '../metrics/metrics';
import { MetricsCollector } from '../jobs/monitoring/metrics-collector';

/** `GET /metrics` (decisions 5): everything there is, in Prometheus' text format. Reads memory only. */
@Injectable()
export class ReadMetrics {
  constructor(
    private readonly metrics: Metrics,
    private readonly observations: MetricsCollector,
    private readonly settings: Settings,
  ) {}

  get contentType(): string {
    return this.metrics.registry.contentType;
  }

  /**
   * `authorization` is the header as it came.
   * @throws ApiError 401 `MISSING_CREDENTIALS` when a token is asked for and this is not it
   */
  async read(authorization: string | undefined): Promise<string> {
    const { metricsToken: token } = this.settings;
    if (token !== null && !isSame(authorization ?? '', `Bearer ${token}`)) {
      throw unauthorized('MISSING_CREDENTIALS', { params: { headers: 'Authorization' } });
    }
    await this.observations.readPool();
    return this.metrics.registry.metrics();
  }
}

/** Takes as long whatever is wrong. */
function isSame(given: string, expected: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(given), digest(expected));
}
