import { type INestApplicationContext } from '@nestjs/common';
import { AppModule } from '../../bootstrap/app.module';
import type { Tolerated } from '../../bootstrap/verify-installation';
import { FindConnections } from '../../connections/lifecycle/find-connections';
import { ConnectionPresenter } from '../../connections/state/connection-presenter';
import { FetchNow } from '../../fetches/api/fetch-now';
import type { Settings } from '../../platform/config/settings';
import { RedeliverTransaction } from '../../provisioning/redelivery/redeliver-transaction';
import { RedeliverTransactions } from '../../provisioning/redelivery/redeliver-transactions';
import { ExportEnvironment } from '../../transfers/export/export-environment';
import { TransferKeys } from '../../transfers/file/transfer-keys';
import { ActivateEnvironment } from '../../transfers/handover/activate-environment';
import { CancelExport } from '../../transfers/handover/cancel-export';
import { ConfirmExport } from '../../transfers/handover/confirm-export';
import { DeleteCopy } from '../../transfers/handover/delete-copy';
import { ImportEnvironment } from '../../transfers/import/import-environment';
import type { Opened } from './application';
import { administrationOf } from './open-administration';
import { openContext } from './open-context';

/** The use cases of the commands, which are those of the service. */
export const useCasesOf = (context: INestApplicationContext) => ({
  ...administrationOf(context),
  connections: context.get(FindConnections, { strict: false }),
  showConnections: context.get(ConnectionPresenter, { strict: false }),
  fetchNow: context.get(FetchNow, { strict: false }),
  redeliverOne: context.get(RedeliverTransaction, { strict: false }),
  redeliverMany: context.get(RedeliverTransactions, { strict: false }),
  transferKeys: context.get(TransferKeys, { strict: false }),
  exportEnvironment: context.get(ExportEnvironment, { strict: false }),
  importEnvironment: context.get(ImportEnvironment, { strict: false }),
  confirmExport: context.get(ConfirmExport, { strict: false }),
  cancelExport: context.get(CancelExport, { strict: false }),
  activateEnvironment: context.get(ActivateEnvironment, { strict: false }),
  deleteCopy: context.get(DeleteCopy, { strict: false }),
});

export type UseCases = ReturnType<typeof useCasesOf>;

/** Starts the whole application. @throws Error in one sentence when the installation cannot be used with these settings */
export async function openApplication(settings: Settings, tolerated: Tolerated): Promise<Opened<UseCases>> {
  const { context, close } = await openContext(settings, tolerated, (on) => AppModule.with(on));
  return { useCases: useCasesOf(context), close };
}
