import { Injectable } from '@nestjs/common';
import { Catalogue } from '../../../integrations/catalogue';
import { CountFetches } from '../../history/count-fetches';
import { FetchLimits } from '../fetch-limits';
import { Patience } from './patience';

/** Gives a fetch its connector, with a watch over whether it moves. */
@Injectable()
export class WatchSource {
  constructor(
    private readonly catalogue: Catalogue,
    private readonly limits: FetchLimits,
    private readonly count: CountFetches,
  ) {}

  run(integrationId: string): Patience {
    return new Patience(this.limits, this.count, this.catalogue.get(integrationId));
  }
}
