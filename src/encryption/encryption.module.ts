import { Module } from '@nestjs/common';
import { DocumentsModule } from '../documents/documents.module';
import { ActivateSuccessor } from './activate-successor';
import { DataKeysModule } from './data-keys.module';
import { DestroyFormerKey } from './destroy-former-key';
import { EncryptionMetrics } from './encryption-metrics';
import { KeyBacklog } from './key-backlog';
import { ReencryptContents } from './reencrypt-contents';
import { ReencryptEverything } from './reencrypt-everything';
import { ReencryptRows } from './reencrypt-rows';
import { ReplaceKeys } from './replace-keys';

/**
 * Replaces data keys: successors, the encryption of everything with them, and the end of the former ones. Knows which columns are
 * encrypted, and not what they mean.
 */
@Module({
  imports: [DataKeysModule, DocumentsModule],
  providers: [
    ReplaceKeys,
    ActivateSuccessor,
    ReencryptEverything,
    ReencryptRows,
    ReencryptContents,
    DestroyFormerKey,
    KeyBacklog,
    EncryptionMetrics,
  ],
})
export class EncryptionModule {}
