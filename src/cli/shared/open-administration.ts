import { type INestApplicationContext } from '@nestjs/common';
import { CreateConsoleLink } from '../../auth/console-sign-in/create-console-link';
import { EndConsoleSession } from '../../auth/console-sign-in/end-console-session';
import { FindConsoleSessions } from '../../auth/console-sign-in/find-console-sessions';
import { CreateClient } from '../../auth/keys/create-client';
import { ManageKeys } from '../../auth/keys/manage-keys';
import { PreviewTheme } from '../../auth/theme-preview/preview-theme';
import { AdministrationModule } from '../../bootstrap/administration.module';
import type { Tolerated } from '../../bootstrap/verify-installation';
import { ReadKeyStatus } from '../../encryption/read-key-status';
import { ReplaceDataKeys } from '../../encryption/replace-data-keys';
import { FindEnvironments } from '../../identities/environments/find-environments';
import { SetProvisioning } from '../../identities/environments/set-provisioning';
import { ReadFormerSecretsEnds } from '../../identities/environments/signing/read-former-secrets-ends';
import { RotateSigningSecret } from '../../identities/environments/signing/rotate-signing-secret';
import { UpdateEnvironment } from '../../identities/environments/update-environment';
import { ListAudit } from '../../platform/audit-log/list-audit';
import type { Settings } from '../../platform/config/settings';
import { RotateEncryption } from '../../platform/crypto/rotate-encryption';
import type { Opened } from './application';
import { openContext } from './open-context';

/** The use cases of `AdministrationModule`, which those of the whole application include. */
export const administrationOf = (context: INestApplicationContext) => ({
  environments: context.get(FindEnvironments, { strict: false }),
  formerSecretsEnds: context.get(ReadFormerSecretsEnds, { strict: false }),
  createClient: context.get(CreateClient, { strict: false }),
  previewTheme: context.get(PreviewTheme, { strict: false }),
  rotateSigningSecret: context.get(RotateSigningSecret, { strict: false }),
  updateEnvironment: context.get(UpdateEnvironment, { strict: false }),
  setProvisioning: context.get(SetProvisioning, { strict: false }),
  keys: context.get(ManageKeys, { strict: false }),
  createConsoleLink: context.get(CreateConsoleLink, { strict: false }),
  consoleSessions: context.get(FindConsoleSessions, { strict: false }),
  endConsoleSession: context.get(EndConsoleSession, { strict: false }),
  rotate: context.get(RotateEncryption, { strict: false }),
  replaceDataKeys: context.get(ReplaceDataKeys, { strict: false }),
  keyStatus: context.get(ReadKeyStatus, { strict: false }),
  audit: context.get(ListAudit, { strict: false }),
});

export type Administration = ReturnType<typeof administrationOf>;

/** Starts `AdministrationModule`. @throws Error in one sentence when the installation cannot be used with these settings */
export async function openAdministration(settings: Settings, tolerated: Tolerated): Promise<Opened<Administration>> {
  const { context, close } = await openContext(settings, tolerated, (on) => AdministrationModule.with(on));
  return { useCases: administrationOf(context), close };
}
