import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import type { ClientAuth, Strategy } from '../../identities/environments/setting-values';
import { CLIENT_AUTH, STRATEGY } from '../../identities/environments/environment-enums';
import { AttemptErrorView } from '../redelivery/attempt.view';
import { CIRCUIT } from '../circuit/circuit.view';
import type { CircuitState } from '../circuit/endpoint.entity';
import { PushRequestView } from './request.view';

const COUNT = { type: 'integer', minimum: 0 } as const;
const TIME = { format: 'date-time', example: '2026-11-20T08:30:00.000Z' } as const;
const OPTIONAL_TIME = { ...TIME, type: String, nullable: true, example: null } as const;

@ApiSchema({ name: 'ConsoleMinute', description: 'The attempts that ended in a minute.' })
export class MinuteView {
  @ApiProperty({ ...TIME, description: 'The beginning of the minute.' })
  minute: string;

  @ApiProperty({ ...COUNT, description: 'Delivered.', example: 112 })
  ok: number;

  @ApiProperty({ ...COUNT, description: 'Failed.', example: 3 })
  failed: number;
}

@ApiSchema({ name: 'ConsoleLatency', description: 'How long attempts take, in milliseconds.' })
export class LatencyView {
  @ApiProperty({ ...COUNT, description: 'Half of the attempts take at most this long.', example: 84 })
  p50_ms: number;

  @ApiProperty({ ...COUNT, description: '95 % of the attempts take at most this long.', example: 310 })
  p95_ms: number;
}

@ApiSchema({ name: 'ConsoleFailedAttempt', description: 'An attempt that has failed.' })
export class FailedAttemptView {
  @ApiProperty({ format: 'uuid', description: 'The document.', example: '019a9f6e-2c41-7c5e-9d0a-1b7c2f3e4d5a' })
  transaction_uuid: string;

  @ApiProperty({ ...TIME, description: 'When it started.' })
  started_at: string;

  @ApiProperty({ ...COUNT, nullable: true, description: 'The HTTP status; null without a response.', example: 503 })
  status: number | null;

  @ApiProperty({ type: AttemptErrorView, description: 'Why it failed.' })
  error: AttemptErrorView;
}

@ApiSchema({ name: 'ConsoleEndpoint', description: 'How documents reach the client, and how its endpoint answers.' })
export class EndpointView {
  @ApiProperty({ ...STRATEGY, description: 'The strategy of the environment.', example: 'PUSH' })
  strategy: Strategy;

  @ApiProperty({
    type: String,
    nullable: true,
    description: 'The provisioning URL, with `***` as the value of `token`; null when there is none.',
    example: 'https://api.example.com/documents?token=***',
  })
  url: string | null;

  @ApiProperty({
    ...CLIENT_AUTH,
    description: 'How pushes are authenticated; the secret is never shown.',
    example: 'QUERY',
  })
  auth: ClientAuth;

  @ApiProperty({ ...CIRCUIT, description: 'The state of its circuit.', example: 'CLOSED' })
  circuit: CircuitState;

  @ApiProperty({
    ...OPTIONAL_TIME,
    description: 'The first of the consecutive failures; null while the circuit is closed.',
  })
  failing_since: string | null;

  @ApiProperty({ ...OPTIONAL_TIME, description: 'Nothing is sent before; null when nothing prevents it.' })
  next_trial_at: string | null;

  @ApiProperty({ ...COUNT, description: 'Documents that wait to be pushed, counted up to 100,000.', example: 12 })
  waiting: number;

  @ApiProperty({
    type: [MinuteView],
    description: 'The attempts of the last hour, for the minutes that had some, the oldest first.',
  })
  minutes: MinuteView[];

  @ApiProperty({
    type: LatencyView,
    nullable: true,
    description: 'Of the attempts of the last hour; null without any.',
  })
  latency: LatencyView | null;

  @ApiProperty({ type: [FailedAttemptView], description: 'The last ten attempts that have failed, the latest first.' })
  last_failures: FailedAttemptView[];
}

@ApiSchema({ name: 'ConsoleTestResponse', description: 'How the endpoint answered a test.' })
export class TestResponseView {
  @ApiProperty({ ...COUNT, description: 'The HTTP status.', example: 200 })
  status: number;

  @ApiProperty({ description: 'The first KiB of the body.', example: 'ok' })
  excerpt: string;
}

@ApiSchema({ name: 'ConsoleEndpointTest', description: 'A test push and its response.' })
export class EndpointTestView {
  @ApiProperty({ type: PushRequestView, description: 'The request.' })
  request: PushRequestView;

  @ApiProperty({ type: TestResponseView, nullable: true, description: 'The response; null when there was none.' })
  response: TestResponseView | null;

  @ApiProperty({ type: AttemptErrorView, nullable: true, description: 'Why it is no success; null after a 200.' })
  error: AttemptErrorView | null;

  @ApiProperty({ ...COUNT, description: 'The duration in milliseconds.', example: 84 })
  duration_ms: number;
}
