import { Injectable } from '@nestjs/common';
import { createHash, timingSafeEqual } from 'node:crypto';
import { Settings } from '../config/settings';
import { unauthorized } from '../errors/errors';
import { Metrics } from '../metrics/metrics';
import { MetricsCollector } from '../jobs/monitoring/metrics-collector';

/** `GET /metrics` (decisions 5): all metrics in Prometheus' text format. Reads only memory. */
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
   * `authorization` is the value of the header.
   * @throws ApiError 401 `MISSING_CREDENTIALS` when a token is required and does not match
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

/** Compares in constant time. */
function isSame(given: string, expected: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(given), digest(expected));
}
