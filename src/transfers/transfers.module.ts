import { Module } from '@nestjs/common';
import { DocumentsModule } from '../documents/documents.module';
import { ExportEnvironment } from './export/export-environment';
import { ReadContents } from './export/read-contents';
import { ReadKeys } from './export/read-keys';
import { FenceEnvironment } from './fence/fence-environment';
import { TransferKeys } from './file/transfer-keys';
import { ActivateEnvironment } from './handover/activate-environment';
import { CancelExport } from './handover/cancel-export';
import { ConfirmExport } from './handover/confirm-export';
import { DeleteCopy } from './handover/delete-copy';
import { BeginImport } from './import/begin-import';
import { ImportContents } from './import/import-contents';
import { ImportEnvironment } from './import/import-environment';
import { ImportRows } from './import/import-rows';

/**
 * Moves an environment with everything that belongs to it to another installation: the fence at the source, the encrypted file, and the
 * codes by which one installation ends before the other begins. Knows tables, and not what their rows mean.
 */
@Module({
  imports: [DocumentsModule],
  providers: [
    TransferKeys,
    FenceEnvironment,
    ReadKeys,
    ReadContents,
    ExportEnvironment,
    BeginImport,
    ImportContents,
    ImportRows,
    ImportEnvironment,
    ConfirmExport,
    CancelExport,
    ActivateEnvironment,
    DeleteCopy,
  ],
})
export class TransfersModule {}
