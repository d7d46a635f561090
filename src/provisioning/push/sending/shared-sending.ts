import { Injectable } from '@nestjs/common';
import { InFlight } from './in-flight';
import { PushPlaces } from './push-places';
import { PromptEndpoints } from './prompt-endpoints';
import { UnwrittenResults } from './unwritten-results';

/** What the drains of one process share. */
@Injectable()
export class SharedSending {
  constructor(
    readonly places: PushPlaces,
    readonly inFlight: InFlight,
    readonly unwritten: UnwrittenResults,
    readonly prompt: PromptEndpoints,
  ) {}
}
