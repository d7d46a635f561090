import { type DynamicModule, Global, Module, type OnApplicationShutdown } from '@nestjs/common';
import { Audit } from './audit/audit';
import { ListAudit } from './audit-log/list-audit';
import { Clock } from './clock/clock';
import { Settings } from './config/settings';
import { KeyManager } from './crypto/key-manager';
import { MasterKeys } from './crypto/master-keys';
import { RotateEncryption } from './crypto/rotate-encryption';
import { Metrics } from './metrics/metrics';
import { GuardedNetwork } from './network/guarded-network';
import { Outbox } from './outbox/outbox';
import { ReadReplica } from './replica/read-replica';
import { ToldChanges } from './replica/told-changes';

/**
 * The part of the platform that use cases need wherever they run: settings, encryption, outgoing network access, audit, outbox and
 * the clock. It has no HTTP, no jobs and no translations, so that it is loaded and started fast.
 */
@Global()
@Module({})
export class CoreModule implements OnApplicationShutdown {
  constructor(private readonly network: GuardedNetwork) {}

  static with(settings: Settings, metrics: Metrics): DynamicModule {
    const services = [Clock, KeyManager, RotateEncryption, Audit, ListAudit, Outbox, ReadReplica, ToldChanges];
    return {
      module: CoreModule,
      providers: [
        { provide: Settings, useValue: settings },
        { provide: Metrics, useValue: metrics },
        { provide: GuardedNetwork, useFactory: () => new GuardedNetwork({ allow: settings.networkAllow }) },
        MasterKeys,
        ...services,
      ],
      exports: [Settings, Metrics, GuardedNetwork, ...services],
    };
  }

  async onApplicationShutdown(): Promise<void> {
    await this.network.close();
  }
}
