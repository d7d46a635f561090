import { Injectable } from '@nestjs/common';
import { Tracing } from '../../../platform/tracing/tracing';
import { DrainLock } from './drain-lock';
import { PushCapacity } from './push-capacity';
import { PromptEndpoints } from './prompt-endpoints';
import { ResultWriter } from './result-writer';

/** State shared by all drains of one process. */
@Injectable()
export class SharedSendState {
  constructor(
    readonly capacity: PushCapacity,
    readonly drainLock: DrainLock,
    readonly results: ResultWriter,
    readonly promptEndpoints: PromptEndpoints,
    readonly tracing: Tracing,
  ) {}
}
