import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { FetchFailure } from '../history/fetch-failure.entity';
import type { Fetch } from '../history/fetch.entity';
import { type FetchDetailView, fetchDetailView, MAX_FAILURES } from '../history/fetch-detail.view';

/** `GET /v1/fetches/{uuid}` (decisions 4 and 5): a fetch with the documents that it could not download. */
@Injectable()
export class GetFetch {
  constructor(private readonly em: EntityManager) {}

  async get(fetch: Fetch): Promise<FetchDetailView> {
    const failures = await this.em.find(
      FetchFailure,
      { fetchUuid: fetch.uuid },
      { orderBy: { dedupeKey: 'asc' }, limit: MAX_FAILURES }, // the order of the primary key, so that nothing is sorted
    );
    return fetchDetailView(fetch, failures);
  }
}
