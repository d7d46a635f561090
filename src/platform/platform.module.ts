import { type DynamicModule, Global, Module, type OnApplicationShutdown } from '@nestjs/common';
import { APP_FILTER, APP_PIPE, DiscoveryModule } from '@nestjs/core';
import { ScheduleModule } from '@nestjs/schedule';
import { TerminusModule } from '@nestjs/terminus';
import { LoggerModule } from 'nestjs-pino';
import { Audit } from './audit/audit';
import { AuditLogController } from './audit-log/audit-log.controller';
import { ListAudit } from './audit-log/list-audit';
import { Shutdown } from './availability/shutdown';
import { Clock } from './clock/clock';
import { Settings } from './config/settings';
import { RotateEncryption } from './crypto/rotate-encryption';
import { KeyManager } from './crypto/key-manager';
import { MasterKeys } from './crypto/master-keys';
import { ExamplesController } from './documentation/examples.controller';
import { HealthController } from './observability/health.controller';
import { ErrorReferenceController } from './documentation/error-reference.controller';
import { ErrorsFilter } from './http/errors/errors.filter';
import { RouteAccessCheck } from './http/access/route-access-check';
import { IdempotencyKeys } from './http/idempotency/idempotency-keys';
import { ReadReplica } from './replica/read-replica';
import { ToldChanges } from './replica/told-changes';
import { TransactionalThrottler } from './rate-limit/transactional-throttler';
import { PostgresThrottlerStorage } from './rate-limit/postgres-throttler-storage';
import { ValidateInput } from './http/input/validate-input';
import { loggerOptions } from './http/logging/logger-options';
import { logOutput } from './http/logging/log-output';
import { translations } from './i18n/translations';
import { Jobs } from './jobs/jobs';
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
import { GuardedNetwork } from './network/guarded-network';
import { RateLimiter } from './network/rate-limiter';
import { Outbox } from './outbox/outbox';
import { Tracing } from './tracing/tracing';

/**
 * Provides the technical basis of all modules: settings, database, bucket, jobs, encryption, outgoing network access, HTTP
 * conventions, audit, health, metrics and the clock. It must not depend on any business term.
 */
@Global()
@Module({})
export class PlatformModule implements OnApplicationShutdown {
  constructor(private readonly network: GuardedNetwork) {}

  static with(settings: Settings): DynamicModule {
    const metrics = new Metrics(settings);
    const logging = loggerOptions(settings, metrics);
    return {
      module: PlatformModule,
      imports: [
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
        { provide: Settings, useValue: settings },
        { provide: Metrics, useValue: metrics },
        { provide: GuardedNetwork, useFactory: () => new GuardedNetwork({ allow: settings.networkAllow }) },
        { provide: Tracing, useFactory: () => Tracing.open(settings) },
        { provide: DnsRecords, useFactory: () => new DnsRecords() },
        { provide: APP_FILTER, useClass: ErrorsFilter },
        { provide: APP_PIPE, useClass: ValidateInput },
        RateLimiter,
        RouteAccessCheck,
        Clock,
        Shutdown,
        MasterKeys,
        KeyManager,
        RotateEncryption,
        Audit,
        ListAudit,
        Outbox,
        Jobs,
        RecurringWork,
        IntervalFactor,
        PostgresThrottlerStorage,
        TransactionalThrottler,
        IdempotencyKeys,
        MetricsCollector,
        BacklogMonitor,
        MaintainPartitions,
        ReadReplica,
        ToldChanges,
        JobMetrics,
        ReadMetrics,
        MetricsServer,
        WorkerHeartbeat,
        ClockDifference,
      ],
      exports: [
        Settings,
        Metrics,
        MetricsCollector,
        BacklogMonitor,
        GuardedNetwork,
        Tracing,
        DnsRecords,
        RateLimiter,
        Clock,
        Shutdown,
        KeyManager,
        RotateEncryption,
        Audit,
        ListAudit,
        Outbox,
        Jobs,
        PostgresThrottlerStorage,
        TransactionalThrottler,
        IdempotencyKeys,
        ReadReplica,
        ToldChanges,
      ],
    };
  }

  async onApplicationShutdown(): Promise<void> {
    await this.network.close();
  }
}
