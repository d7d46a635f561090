import { Inject, Module, type OnApplicationShutdown } from '@nestjs/common';
import type { Bucket } from '../platform/storage/bucket';
import { CHUNK_STORE } from './store/chunk-store';
import { CONTENT_BUCKET, CONTENT_STORAGE } from './store/bucket/content-bucket';
import { DocumentStore } from './store/document-store';
import { ReencryptContent } from './store/reencrypt-content';
import { RemoveObjects } from './store/bucket/remove-objects';

/**
 * The content of documents: the encrypted store, metadata, file type detection and reading of e-invoices.
 * It must not depend on connections and providers.
 */
@Module({
  providers: [...CONTENT_STORAGE, DocumentStore, ReencryptContent, RemoveObjects],
  exports: [DocumentStore, ReencryptContent, CHUNK_STORE, CONTENT_BUCKET],
})
export class DocumentsModule implements OnApplicationShutdown {
  constructor(@Inject(CONTENT_BUCKET) private readonly bucket: Bucket | null) {}

  async onApplicationShutdown(): Promise<void> {
    await this.bucket?.close();
  }
}
