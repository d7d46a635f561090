import { Injectable, Logger } from '@nestjs/common';
import { currentSpan } from '../../platform/request/work-scope';
import type { Fetch } from './fetch.entity';
import { type EndedFetch, FetchMetrics } from './fetch-metrics';

/** Reports an ended fetch in the metrics and in one line of the log. */
@Injectable()
export class FetchReport {
  private readonly logger = new Logger('Fetches');

  constructor(private readonly metrics: FetchMetrics) {}

  ended(
    connection: { readonly uuid: string; readonly integrationId: string },
    fetch: EndedFetch & Pick<Fetch, 'uuid' | 'seen'>,
    dueAt: Date,
  ): void {
    this.metrics.recordFinished(connection.integrationId, fetch, dueAt);
    const { uuid, trigger, status, errorCode, seen, new: added, duplicate, filtered, failed } = fetch;
    const span = currentSpan();
    span?.set({ 'docfetch.status': status, 'docfetch.documents.seen': seen, 'docfetch.documents.new': added });
    if (errorCode) span?.fail(errorCode);
    this.logger.log(
      {
        fetch_uuid: uuid,
        connection_uuid: connection.uuid,
        integration: connection.integrationId,
        trigger,
        status,
        ...(errorCode && { error_code: errorCode }),
        documents: { seen, new: added, duplicate, filtered, failed },
      },
      'Fetch ended',
    );
  }
}
