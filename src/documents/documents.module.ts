import { Inject, Module, type OnApplicationShutdown } from '@nestjs/common';
import type { Bucket } from '../platform/storage/bucket';
import { CONTENT_BUCKET, CONTENT_STORAGE } from './store/content-bucket';
import { DocumentStore } from './store/document-store';
import { RemoveObjects } from './store/remove-objects';

/**
 * Owns the content of documents: the encrypted store they stream into and out of, their metadata, and e-invoice reading.
 * Refuses to know connections and providers.
 */
@Module({ providers: [...CONTENT_STORAGE, DocumentStore, RemoveObjects], exports: [DocumentStore] })
export class DocumentsModule implements OnApplicationShutdown {
  constructor(@Inject(CONTENT_BUCKET) private readonly bucket: Bucket | null) {}

  async onApplicationShutdown(): Promise<void> {
    await this.bucket?.close();
  }
}
