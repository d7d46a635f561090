import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import type { HealthCheckResult } from '@nestjs/terminus';
import { apiEnum } from '../openapi/api-enum';

type Readiness = 'ok' | 'error' | 'shutting_down';
type IndicatorStatus = 'up' | 'down';

const READINESS = apiEnum<Readiness>('ReadinessStatus', 'Whether the service can answer requests.', {
  ok: 'it can',
  error: 'something that it needs does not work: see `details`',
  shutting_down: 'it is about to end',
});

const INDICATOR_STATUS = apiEnum<IndicatorStatus>('HealthIndicatorStatus', 'Whether something works.', {
  up: 'it works',
  down: 'it does not',
});

@ApiSchema({ description: 'That the process runs.' })
export class LivenessView {
  @ApiProperty({ enum: ['ok'], description: 'It does.', example: 'ok' })
  status: 'ok';
}

@ApiSchema({ description: 'Something that the service needs.' })
export class HealthIndicatorView {
  @ApiProperty({ ...INDICATOR_STATUS, description: 'Whether it works.', example: 'up' })
  status: IndicatorStatus;
}

@ApiSchema({ description: 'Whether the service can answer requests, and if not, why.' })
export class ReadinessView {
  @ApiProperty({ ...READINESS, description: 'The whole.', example: 'ok' })
  status: Readiness;

  @ApiProperty({
    type: 'object',
    additionalProperties: { $ref: '#/components/schemas/HealthIndicatorView' },
    description: 'What it needs, by name, and whether that works.',
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
