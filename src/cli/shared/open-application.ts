import { type INestApplicationContext } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { I18nService } from 'nestjs-i18n';
import { AppModule } from '../../bootstrap/app.module';
import { CreateClient } from '../../auth/keys/create-client';
import { CreateConsoleLink } from '../../auth/console-sign-in/create-console-link';
import { EndConsoleSession } from '../../auth/console-sign-in/end-console-session';
import { ListConsoleSessions } from '../../auth/console-sign-in/list-console-sessions';
import { ManageKeys } from '../../auth/keys/manage-keys';
import { PreviewTheme } from '../../auth/theme-preview/preview-theme';
import { FindConnections } from '../../connections/lifecycle/find-connections';
import { ConnectionPresenter } from '../../connections/state/connection-presenter';
import { ExportEnvironment } from '../../transfers/export/export-environment';
import { TransferKeys } from '../../transfers/file/transfer-keys';
import { ActivateEnvironment } from '../../transfers/handover/activate-environment';
import { CancelExport } from '../../transfers/handover/cancel-export';
import { ConfirmExport } from '../../transfers/handover/confirm-export';
import { DeleteCopy } from '../../transfers/handover/delete-copy';
import { ImportEnvironment } from '../../transfers/import/import-environment';
import { ReadKeyStatus } from '../../encryption/read-key-status';
import { ReplaceDataKeys } from '../../encryption/replace-data-keys';
import { FetchNow } from '../../fetches/api/fetch-now';
import { FindEnvironments } from '../../identities/environments/find-environments';
import { ReadFormerSecretsEnds } from '../../identities/environments/signing/read-former-secrets-ends';
import { RotateSigningSecret } from '../../identities/environments/signing/rotate-signing-secret';
import { SetProvisioning } from '../../identities/environments/set-provisioning';
import { UpdateEnvironment } from '../../identities/environments/update-environment';
import { openDatabase } from '../../bootstrap/database/open-database';
import type { Settings } from '../../platform/config/settings';
import { ListAudit } from '../../platform/audit-log/list-audit';
import { RotateEncryption } from '../../platform/crypto/rotate-encryption';
import { ToldChanges } from '../../platform/replica/told-changes';
import { ApiError, tooMany } from '../../platform/errors/errors';
import { LimitExceeded } from '../../platform/rate-limit/limit-exceeded';
import { RedeliverTransaction } from '../../provisioning/redelivery/redeliver-transaction';
import { RedeliverTransactions } from '../../provisioning/redelivery/redeliver-transactions';
import { type Tolerated, verifyInstallation } from '../../bootstrap/verify-installation';
import { startupError } from '../../bootstrap/startup-error';
import { sentence } from './sentence';

/** The use cases of the commands, which are those of the service. */
const useCasesOf = (app: INestApplicationContext) => ({
  environments: app.get(FindEnvironments, { strict: false }),
  formerSecretsEnds: app.get(ReadFormerSecretsEnds, { strict: false }),
  createClient: app.get(CreateClient, { strict: false }),
  previewTheme: app.get(PreviewTheme, { strict: false }),
  rotateSigningSecret: app.get(RotateSigningSecret, { strict: false }),
  updateEnvironment: app.get(UpdateEnvironment, { strict: false }),
  keys: app.get(ManageKeys, { strict: false }),
  createConsoleLink: app.get(CreateConsoleLink, { strict: false }),
  consoleSessions: app.get(ListConsoleSessions, { strict: false }),
  endConsoleSession: app.get(EndConsoleSession, { strict: false }),
  setProvisioning: app.get(SetProvisioning, { strict: false }),
  connections: app.get(FindConnections, { strict: false }),
  showConnections: app.get(ConnectionPresenter, { strict: false }),
  fetchNow: app.get(FetchNow, { strict: false }),
  redeliverOne: app.get(RedeliverTransaction, { strict: false }),
  redeliverMany: app.get(RedeliverTransactions, { strict: false }),
  rotate: app.get(RotateEncryption, { strict: false }),
  replaceDataKeys: app.get(ReplaceDataKeys, { strict: false }),
  keyStatus: app.get(ReadKeyStatus, { strict: false }),
  transferKeys: app.get(TransferKeys, { strict: false }),
  exportEnvironment: app.get(ExportEnvironment, { strict: false }),
  importEnvironment: app.get(ImportEnvironment, { strict: false }),
  confirmExport: app.get(ConfirmExport, { strict: false }),
  cancelExport: app.get(CancelExport, { strict: false }),
  activateEnvironment: app.get(ActivateEnvironment, { strict: false }),
  deleteCopy: app.get(DeleteCopy, { strict: false }),
  audit: app.get(ListAudit, { strict: false }),
});

export type UseCases = ReturnType<typeof useCasesOf>;

export interface RunningApplication {
  readonly useCases: UseCases;
  /** The reason for the failure of a use case, in one line. */
  reason(error: Error): string;
  close(): Promise<void>;
}

/** The use cases of an application that runs already; `close` ends it. */
export function useApplication(app: INestApplicationContext, close: () => Promise<void>): RunningApplication {
  return {
    useCases: useCasesOf(app),
    reason: (thrown) => {
      const error = thrown instanceof LimitExceeded ? tooMany(thrown.code, thrown.quota.resetSeconds) : thrown;
      return error instanceof ApiError ? sentence(app.get(I18nService, { strict: false }), error) : startupError(error);
    },
    close,
  };
}

/**
 * Starts the application on the service's database, without workers, after the startup check. Importing this file is slow, so it
 * is loaded on demand.
 * @throws Error in one sentence when the installation cannot be used with these settings
 */
export async function openApplication(configured: Settings, tolerated: Tolerated): Promise<RunningApplication> {
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
    const app = await NestFactory.createApplicationContext(
      AppModule.with(settings.with({ databaseUrl: database.url })),
      { logger: false, abortOnError: false },
    );
    const close = async () => {
      try {
        await app.get(ToldChanges, { strict: false }).noteAll();
      } finally {
        try {
          await app.close();
        } finally {
          await database.close();
        }
      }
    };
    return useApplication(app, close);
  } catch (error) {
    await database.close();
    throw error;
  }
}
