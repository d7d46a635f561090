import { type DynamicModule, Global, Module } from '@nestjs/common';
import { APP_FILTER, APP_PIPE, DiscoveryModule } from '@nestjs/core';
import { ScheduleModule } from '@nestjs/schedule';
import { TerminusModule } from '@nestjs/terminus';
import { LoggerModule } from 'nestjs-pino';
import { AuditLogController } from './audit-log/audit-log.controller';
import { CoreModule } from './core.module';
import { Shutdown } from './availability/shutdown';
import { Settings } from './config/settings';
import { ExamplesController } from './documentation/examples.controller';
import { HealthController } from './observability/health.controller';
import { ErrorReferenceController } from './documentation/error-reference.controller';
import { ErrorsFilter } from './http/errors/errors.filter';
import { RouteAccessCheck } from './http/access/route-access-check';
import { IdempotencyKeys } from './http/idempotency/idempotency-keys';
import { RateLimitsModule } from './rate-limit/rate-limits.module';
import { ValidateInput } from './http/input/validate-input';
import { loggerOptions } from './http/logging/logger-options';
import { logOutput } from './http/logging/log-output';
import { translations } from './i18n/translations';
import { JobsModule } from './jobs/jobs.module';
import { MaintainPartitions } from './history/maintain-partitions';
import { IntervalFactor, RecurringWork } from './jobs/recurring-work';
import { BacklogMonitor } from './jobs/monitoring/backlog-monitor';
import { Metrics } from './metrics/metrics';
import { MetricsController } from './observability/metrics.controller';
import { MetricsServer } from './observability/metrics-server';
import { JobMetrics } from './jobs/monitoring/job-metrics';
import { MetricsCollector } from './jobs/monitoring/metrics-collector';
import { ReadMetrics } from './observability/read-metrics';
import { ClockDifference } from './observability/clock-difference';
import { WorkerHeartbeat } from './observability/worker-heartbeat';
import { DnsRecords } from './network/addresses/dns-records';
import { RateLimiter } from './network/rate-limiter';
import { Tracing } from './tracing/tracing';

/**
 * Provides the technical basis of all modules: `CoreModule` and, with it, jobs, rate limits, HTTP conventions, health, metrics and
 * traces. It must not depend on any business term.
 */
@Global()
@Module({})
export class PlatformModule {
  static with(settings: Settings): DynamicModule {
    const metrics = new Metrics(settings);
    const logging = loggerOptions(settings, metrics);
    return {
      module: PlatformModule,
      imports: [
        CoreModule.with(settings, metrics),
        JobsModule,
        RateLimitsModule,
        DiscoveryModule,
        ScheduleModule.forRoot(),
        TerminusModule.forRoot({ logger: false, errorLogStyle: 'json' }),
        LoggerModule.forRoot({ ...logging, pinoHttp: [logging.pinoHttp, logOutput()] }),
        translations(),
      ],
      controllers: [
        HealthController,
        MetricsController,
        ErrorReferenceController,
        ExamplesController,
        AuditLogController,
      ],
      providers: [
        { provide: Tracing, useFactory: () => Tracing.open(settings) },
        { provide: DnsRecords, useFactory: () => new DnsRecords() },
        { provide: APP_FILTER, useClass: ErrorsFilter },
        { provide: APP_PIPE, useClass: ValidateInput },
        RateLimiter,
        RouteAccessCheck,
        Shutdown,
        RecurringWork,
        IntervalFactor,
        IdempotencyKeys,
        MetricsCollector,
        BacklogMonitor,
        MaintainPartitions,
        JobMetrics,
        ReadMetrics,
        MetricsServer,
        WorkerHeartbeat,
        ClockDifference,
      ],
      exports: [MetricsCollector, BacklogMonitor, Tracing, DnsRecords, RateLimiter, Shutdown, IdempotencyKeys],
    };
  }
}
