import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import type { HealthCheckResult } from '@nestjs/terminus';
import { apiEnum } from '../openapi/api-enum';

type Readiness = 'ok' | 'error' | 'shutting_down';
type IndicatorStatus = 'up' | 'down';

const READINESS = apiEnum<Readiness>('ReadinessStatus', 'Whether the service can answer requests.', {
  ok: 'it is ready',
  error: 'a dependency does not work: see `details`',
  shutting_down: 'it is shutting down',
});

const INDICATOR_STATUS = apiEnum<IndicatorStatus>('HealthIndicatorStatus', 'The status of a dependency.', {
  up: 'it works',
  down: 'it does not work',
});

@ApiSchema({ description: 'The liveness of the process.' })
export class LivenessView {
  @ApiProperty({ enum: ['ok'], description: 'Always `ok`.', example: 'ok' })
  status: 'ok';
}

@ApiSchema({ description: 'A dependency of the service.' })
export class HealthIndicatorView {
  @ApiProperty({ ...INDICATOR_STATUS, description: 'Whether it works.', example: 'up' })
  status: IndicatorStatus;
}

@ApiSchema({ description: 'The readiness of the service, with its dependencies.' })
export class ReadinessView {
  @ApiProperty({ ...READINESS, description: 'The overall status.', example: 'ok' })
  status: Readiness;

  @ApiProperty({
    type: 'object',
    additionalProperties: { $ref: '#/components/schemas/HealthIndicatorView' },
    description: 'The dependencies by name, with their status.',
    example: { database: { status: 'up' } },
  })
  details: Record<string, HealthIndicatorView>;
}

export function readinessView({ status, details }: HealthCheckResult): ReadinessView {
  const indicators = Object.entries(details).map(([name, indicator]) => {
    const status: IndicatorStatus = indicator.status === 'down' ? 'down' : 'up';
    return [name, { status }] as const;
  });
  return { status: status === 'degraded' ? 'ok' : status, details: Object.fromEntries(indicators) };
}
