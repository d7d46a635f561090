import { Injectable } from '@nestjs/common';
import { IntegrationRegistry } from '../../../integrations/integration-registry';
import { FetchMetrics } from '../../history/fetch-metrics';
import { FetchLimits } from '../fetch-limits';
import { StallDetector } from './stall-detector';

/** Creates the stall detector of a fetch. */
@Injectable()
export class StallDetectorFactory {
  constructor(
    private readonly integrations: IntegrationRegistry,
    private readonly limits: FetchLimits,
    private readonly metrics: FetchMetrics,
  ) {}

  create(integrationId: string): StallDetector {
    return new StallDetector(this.limits, this.metrics, this.integrations.get(integrationId));
  }
}
