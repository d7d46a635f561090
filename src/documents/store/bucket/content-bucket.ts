import { EntityManager } from '@mikro-orm/postgresql';
import type { Provider } from '@nestjs/common';
import { Clock } from '../../../platform/clock/clock';
import { Settings } from '../../../platform/config/settings';
import { Metrics, QUICK_SECONDS } from '../../../platform/metrics/metrics';
import { ReadReplica } from '../../../platform/replica/read-replica';
import { Bucket } from '../../../platform/storage/bucket';
import { BucketChunks } from './bucket-chunks';
import { CHUNK_STORE, type ChunkStore } from '../chunk-store';
import { DatabaseChunks } from '../database-chunks';

/** The bucket of `STORAGE_URL`, or null. */
export const CONTENT_BUCKET = Symbol('ContentBucket');

/** The storage of document bytes: the database, or the bucket if one is configured (decisions 8). */
export const CONTENT_STORAGE: Provider[] = [
  {
    provide: CONTENT_BUCKET,
    inject: [Settings, Metrics],
    useFactory: ({ storage }: Settings, metrics: Metrics): Bucket | null => {
      const seconds = metrics.histogram(
        'docfetch_storage_request_seconds',
        'Requests to the bucket that stores documents, by method and outcome: ok, missing or failed.',
        ['method', 'outcome'],
        QUICK_SECONDS,
      );
      if (!storage) return null;
      return new Bucket(storage, ({ method, outcome, seconds: took }) => seconds.observe({ method, outcome }, took));
    },
  },
  {
    provide: CHUNK_STORE,
    inject: [CONTENT_BUCKET, EntityManager, Clock, ReadReplica],
    useFactory: (bucket: Bucket | null, em: EntityManager, clock: Clock, replica: ReadReplica): ChunkStore => {
      const database = new DatabaseChunks(em, clock, replica);
      return bucket ? new BucketChunks(bucket, database, em, clock) : database;
    },
  },
];
