import 'reflect-metadata';
import type { INestApplicationContext } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import { AppModule } from '../../src/bootstrap/app.module';
import { Clock } from '../../src/platform/clock/clock';
import { Settings } from '../../src/platform/config/settings';

/** A clock that is constant until it is set. */
export class SetClock extends Clock {
  private at = Date.now();

  override now(): Date {
    return new Date(this.at);
  }

  set(at: number): void {
    this.at = at;
  }
}

/** The application context in this process: no HTTP, no timers, no worker. */
export async function openAppContext(
  databaseUrl: string,
  clock: Clock,
  settings: Readonly<Record<string, string>> = {},
): Promise<INestApplicationContext> {
  const env = {
    DATABASE_URL: databaseUrl,
    ROLE: 'api',
    LOG_LEVEL: 'silent',
    DATABASE_POOL: '5',
    ENCRYPTION_KEYS: `bench:${Buffer.alloc(32, 1).toString('base64')}`,
    TOKEN_KEYS: `bench:${Buffer.alloc(32, 2).toString('base64')}`,
    ...settings,
  };
  const app = await Test.createTestingModule({ imports: [AppModule.with(Settings.fromEnvironment(env))] })
    .overrideProvider(Clock)
    .useValue(clock)
    .compile();
  return app.init();
}
