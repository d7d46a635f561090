import { Module } from '@nestjs/common';
import { DocumentStore } from './document-store';

/**
 * Owns the content of documents: the encrypted store they stream into and out of, their metadata, and e-invoice reading.
 * Refuses to know connections and providers.
 */
@Module({ providers: [DocumentStore], exports: [DocumentStore] })
export class DocumentsModule {}
