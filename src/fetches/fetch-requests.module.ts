import { Module } from '@nestjs/common';
import { FetchNow } from './api/fetch-now';
import { FetchWakeup } from './scheduling/fetch-wakeup';

/** Queues manual fetches, which `FetchesModule` executes. */
@Module({ providers: [FetchNow, FetchWakeup], exports: [FetchNow, FetchWakeup] })
export class FetchRequestsModule {}
