import type { NestExpressApplication } from '@nestjs/platform-express';
import { Test } from '@nestjs/testing';
import { randomBytes } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import type { Writable } from 'node:stream';
import { PARAMS_PROVIDER_TOKEN } from 'nestjs-pino';
import { AppModule } from '../../../src/bootstrap/app.module';
import { configureApp } from '../../../src/bootstrap/http/configure-app';
import { IntegrationRegistry } from '../../../src/integrations/integration-registry';
import type { Integration } from '../../../src/integrations/core/integration';
import { Clock } from '../../../src/platform/clock/clock';
import { readDefinedValues } from '../../../src/platform/config/read-defined-values';
import { Settings, type Role } from '../../../src/platform/config/settings';
import { IntervalFactor } from '../../../src/platform/jobs/recurring-work';
import { DnsRecords } from '../../../src/platform/network/addresses/dns-records';
import { GuardedNetwork, type GuardedNetworkOptions } from '../../../src/platform/network/guarded-network';
import { loggerOptions } from '../../../src/platform/http/logging/logger-options';
import { migratedDatabaseUrl } from '../../setup/database';
import { throughPooler } from '../../setup/poolers';
import { recordResponses } from '../conformance/check-all-responses';
import { TestClock } from './test-clock';

export interface TestApp {
  readonly app: NestExpressApplication;
  /** The base URL, without a trailing slash. */
  readonly url: string;
  /** The address of the database for the test itself, without a pooler. */
  readonly databaseUrl: string;
  readonly clock: TestClock;
  readonly settings: Settings;
  stop(): Promise<void>;
}

export interface TestAppOptions {
  /** 1: recurring work at the intervals of the service, for a test that depends on them. By default it runs more often. */
  readonly intervalFactor?: number;
  /** `api` (default) runs no fetches and pushes; `all` does. */
  readonly role?: Role;
  /** The database of another app of this test, for two instances of one service. */
  readonly databaseUrl?: string;
  readonly settings?: Partial<Settings>;
  readonly clock?: TestClock;
  /** The available integrations; by default those of the build. */
  readonly integrations?: readonly Integration[];
  /** The destination of the log instead of standard output. */
  readonly log?: Writable;
  /** Replaces the network, for example with another resolver, trusted authority or time limit. */
  readonly network?: GuardedNetworkOptions | GuardedNetwork;
  /** Replaces the name servers. By default no domain has records. */
  readonly dns?: DnsRecords;
}

/** Due work is looked for every 100 or 200 ms instead of every 500 or 1,000, as nearly every test waits for it. */
const INTERVAL_FACTOR = 0.2;
const NO_RECORDS = {
  mailExchanges: async () => [],
  services: async () => [],
  records: () => Promise.reject(Object.assign(new Error('query ENOTFOUND'), { code: 'ENOTFOUND' })),
} as unknown as DnsRecords;
const ENCRYPTION_KEY = { id: 'test', bytes: Buffer.alloc(32, 7) };
const TOKEN_KEY = { id: 'test', bytes: Buffer.alloc(32, 9) };

/** The real application with its own port, its own database and a clock that tests can move. */
export async function startApp(options: TestAppOptions = {}): Promise<TestApp> {
  const databaseUrl = options.databaseUrl ?? (await migratedDatabaseUrl());
  const clock = options.clock ?? new TestClock();
  const settings = new Settings({
    ...readDefinedValues({ LOG_LEVEL: process.env.LOG_LEVEL ?? 'silent' }, []),
    port: 0,
    publicUrl: 'https://docfetch.test',
    ...throughPooler(databaseUrl),
    databasePool: 10,
    dataDir: `/nonexistent-${randomBytes(4).toString('hex')}`,
    encryptionKeys: [ENCRYPTION_KEY],
    tokenKeys: [TOKEN_KEY],
    role: options.role ?? 'api',
    workerConcurrency: 5,
    networkAllow: ['127.0.0.0/8', '::1/128'],
    // Only the tests of the limits approach them.
    rateLimitPerKey: 1_000_000,
    rateLimitPerToken: 1_000_000,
    rateLimitFailures: 1_000_000,
    providers: {},
    ...options.settings,
  });
  const builder = Test.createTestingModule({ imports: [AppModule.with(settings)] })
    .overrideProvider(Clock)
    .useValue(clock)
    .overrideProvider(IntervalFactor)
    .useValue({ value: options.intervalFactor ?? INTERVAL_FACTOR } satisfies IntervalFactor)
    .overrideProvider(DnsRecords)
    .useValue(options.dns ?? NO_RECORDS);
  const { network } = options;
  if (network) {
    const replaced = network instanceof GuardedNetwork ? network : new GuardedNetwork(network);
    builder.overrideProvider(GuardedNetwork).useValue(replaced);
  }
  if (options.log) {
    const params = loggerOptions(settings);
    const pinoHttp = { ...params.pinoHttp, stream: options.log };
    builder.overrideProvider(PARAMS_PROVIDER_TOKEN).useValue({ ...params, pinoHttp });
  }
  const { integrations } = options;
  if (integrations) {
    class TestRegistry extends IntegrationRegistry {
      protected override readonly integrations = integrations!;
    }
    builder.overrideProvider(IntegrationRegistry).useValue(new TestRegistry(settings));
  }
  const module = await builder.compile();
  const app = module.createNestApplication<NestExpressApplication>({ bodyParser: false, bufferLogs: true });
  app.use(recordResponses);
  configureApp(app);
  try {
    await app.listen(settings.port, '127.0.0.1');
  } catch (error) {
    await app.close(); // ends the work of the modules that have started
    throw error;
  }
  const { port } = app.getHttpServer().address() as AddressInfo;
  return { app, url: `http://127.0.0.1:${port}`, databaseUrl, clock, settings, stop: () => app.close() };
}
