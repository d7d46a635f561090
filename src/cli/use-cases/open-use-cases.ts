import type { INestApplicationContext, Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { CreateConsoleLink } from '../../auth/console-sign-in/create-console-link';
import { EndConsoleSession } from '../../auth/console-sign-in/end-console-session';
import { FindConsoleSessions } from '../../auth/console-sign-in/find-console-sessions';
import { CreateClient } from '../../auth/keys/create-client';
import { ManageKeys } from '../../auth/keys/manage-keys';
import { PreviewTheme } from '../../auth/theme-preview/preview-theme';
import { openDatabase } from '../../bootstrap/database/open-database';
import { type Tolerated, verifyInstallation } from '../../bootstrap/verify-installation';
import { FindConnections } from '../../connections/lifecycle/find-connections';
import type { ConnectionRecord } from '../../connections/state/connection-record';
import { ReadKeyStatus } from '../../encryption/read-key-status';
import { ReplaceDataKeys } from '../../encryption/replace-data-keys';
import { FetchNow } from '../../fetches/api/fetch-now';
import { FindEnvironments } from '../../identities/environments/find-environments';
import { SetProvisioning } from '../../identities/environments/set-provisioning';
import { ReadFormerSecretsEnds } from '../../identities/environments/signing/read-former-secrets-ends';
import { RotateSigningSecret } from '../../identities/environments/signing/rotate-signing-secret';
import { UpdateEnvironment } from '../../identities/environments/update-environment';
import { ListAudit } from '../../platform/audit-log/list-audit';
import type { Settings } from '../../platform/config/settings';
import { RotateEncryption } from '../../platform/crypto/rotate-encryption';
import { ToldChanges } from '../../platform/replica/told-changes';
import { RedeliverTransaction } from '../../provisioning/redelivery/redeliver-transaction';
import { RedeliverTransactions } from '../../provisioning/redelivery/redeliver-transactions';
import { ExportEnvironment } from '../../transfers/export/export-environment';
import { TransferKeys } from '../../transfers/file/transfer-keys';
import { ActivateEnvironment } from '../../transfers/handover/activate-environment';
import { CancelExport } from '../../transfers/handover/cancel-export';
import { ConfirmExport } from '../../transfers/handover/confirm-export';
import { DeleteCopy } from '../../transfers/handover/delete-copy';
import { ImportEnvironment } from '../../transfers/import/import-environment';
import { UseCasesModule } from './use-cases.module';

/** The use cases of the commands, which are those of the service. */
export function useCasesOf(context: INestApplicationContext) {
  const get = <UseCase>(type: Type<UseCase>): UseCase => context.get(type, { strict: false });
  return {
    environments: get(FindEnvironments),
    formerSecretsEnds: get(ReadFormerSecretsEnds),
    createClient: get(CreateClient),
    previewTheme: get(PreviewTheme),
    rotateSigningSecret: get(RotateSigningSecret),
    updateEnvironment: get(UpdateEnvironment),
    setProvisioning: get(SetProvisioning),
    keys: get(ManageKeys),
    createConsoleLink: get(CreateConsoleLink),
    consoleSessions: get(FindConsoleSessions),
    endConsoleSession: get(EndConsoleSession),
    connections: get(FindConnections),
    /** Loads the views of the API, and all integrations, only now. */
    presentConnections: async (connections: readonly ConnectionRecord[]) =>
      (await import('./present-connections.js')).presentConnections(context, connections),
    fetchNow: get(FetchNow),
    redeliverOne: get(RedeliverTransaction),
    redeliverMany: get(RedeliverTransactions),
    transferKeys: get(TransferKeys),
    exportEnvironment: get(ExportEnvironment),
    importEnvironment: get(ImportEnvironment),
    confirmExport: get(ConfirmExport),
    cancelExport: get(CancelExport),
    activateEnvironment: get(ActivateEnvironment),
    deleteCopy: get(DeleteCopy),
    rotate: get(RotateEncryption),
    replaceDataKeys: get(ReplaceDataKeys),
    keyStatus: get(ReadKeyStatus),
    audit: get(ListAudit),
  };
}

export type UseCases = ReturnType<typeof useCasesOf>;

export interface OpenUseCases {
  readonly useCases: UseCases;
  readonly close: () => Promise<void>;
}

/**
 * Starts the use cases on the service's database, without workers, after the startup check.
 * @throws Error in one sentence when the installation cannot be used with these settings
 */
export async function openUseCases(configured: Settings, tolerated: Tolerated): Promise<OpenUseCases> {
  // `api`: the command line runs no fetches and pushes.
  const settings = configured.with({
    role: 'api',
    logLevel: 'silent',
    databasePool: 4,
    metricsPort: null,
    metricsToken: null,
    smtpPort: null,
  });
  const database = await openDatabase(settings, () => undefined);
  try {
    await verifyInstallation(database, settings, tolerated);
    const context = await NestFactory.createApplicationContext(
      UseCasesModule.with(settings.with({ databaseUrl: database.url })),
      {
        logger: false,
        abortOnError: false,
      },
    );
    const close = async () => {
      try {
        await context.get(ToldChanges, { strict: false }).noteAll();
      } finally {
        try {
          await context.close();
        } finally {
          await database.close();
        }
      }
    };
    return { useCases: useCasesOf(context), close };
  } catch (error) {
    await database.close();
    throw error;
  }
}
