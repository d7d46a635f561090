import { Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { Settings } from '../platform/config/settings';
import { box } from './box/box';
import { loadOperatorProviders, loadProviders } from './declarative/load-providers';
import { dropbox } from './dropbox/dropbox';
import { ftp } from './ftp/ftp';
import { gmail } from './gmail/gmail';
import { googleDrive } from './google-drive/google-drive';
import { imap } from './imap/imap';
import { IMAP_HELP_STEPS } from './imap/preset-help-steps';
import { AUTHORIZED_IMAP_PRESETS } from './imap/authorized-presets';
import { IMAP_PRESET_OAUTH } from './imap/preset-oauth';
import { IMAP_PRESETS } from './imap/presets';
import type { Integration } from './core/integration';
import { mailInbox } from './mail-inbox/mail-inbox';
import { microsoftDrive } from './microsoft-drive/microsoft-drive';
import { outlook } from './outlook/outlook';
import { withPresets } from './core/presets/preset';
import { S3_PRESETS } from './s3/presets';
import { s3 } from './s3/s3';
import { sandbox } from './sandbox/sandbox';
import { sandboxOAuth } from './sandbox-oauth/sandbox-oauth';
import { sftp } from './sftp/sftp';
import { WEBDAV_PRESETS } from './webdav/presets';
import { webdav } from './webdav/webdav';

/** The connectors in code, one line each, with the brands that have the protocol. */
const CONNECTORS: readonly Integration[] = [
  box,
  dropbox,
  ftp,
  gmail,
  googleDrive,
  ...withPresets(imap, [...IMAP_PRESETS, ...AUTHORIZED_IMAP_PRESETS], {
    helpSteps: IMAP_HELP_STEPS,
    oauth: IMAP_PRESET_OAUTH,
  }),
  mailInbox,
  microsoftDrive,
  outlook,
  ...withPresets(s3, S3_PRESETS),
  sandbox,
  sandboxOAuth,
  sftp,
  ...withPresets(webdav, WEBDAV_PRESETS),
];

/** All integrations: the connectors in code, and one for each file of `providers/`. */
export const INTEGRATIONS: readonly Integration[] = [...CONNECTORS, ...loadProviders()].sort((a, b) =>
  a.id < b.id ? -1 : 1,
);

/** Those of the operator's files (`PROVIDERS_DIR`), which the registry adds. */
let operatorIntegrations: readonly Integration[] = [];

/** An integration of the build or of the operator, for code without access to the registry. */
export const findIntegration = (id: string): Integration | undefined =>
  [...INTEGRATIONS, ...operatorIntegrations].find((integration) => integration.id === id);

/** What a deployment can lack for an integration (decisions 4). */
export type Unavailability = 'NO_OAUTH_CLIENT' | 'NO_INBOX_DOMAIN' | 'INVALID_PROVIDER_FILE';

/** The available integrations. */
@Injectable()
export class IntegrationRegistry implements OnModuleInit {
  protected readonly integrations: readonly Integration[] = INTEGRATIONS;

  private readonly logger = new Logger(IntegrationRegistry.name);
  private readonly operatorErrors: readonly string[] = [];
  private sorted: readonly Integration[] | undefined;

  constructor(private readonly settings: Settings) {
    // Not those of another application in this process.
    operatorIntegrations = [];
    if (!settings.providersDir) return;
    const ids = INTEGRATIONS.map(({ id }) => id);
    const { integrations, manifestErrors } = loadOperatorProviders(settings.providersDir, ids);
    operatorIntegrations = integrations;
    this.operatorErrors = manifestErrors;
  }

  /** Reports every error of a provider's file; in development the service does not start with one. @throws in development */
  onModuleInit(): void {
    const manifestErrors = [
      ...this.all.flatMap((integration) => integration.manifestErrors ?? []),
      ...this.operatorErrors,
    ];
    for (const error of manifestErrors) this.logger.error({ error }, 'A provider is not available');
    if (manifestErrors.length > 0 && !this.settings.production) throw new Error(manifestErrors.join('\n'));
  }

  /** The integrations of an environment; the sandbox exists in `TEST` only (decisions 8). */
  list(testEnvironment: boolean): readonly Integration[] {
    return this.all.filter((integration) => testEnvironment || !integration.testOnly);
  }

  find(id: string, testEnvironment: boolean): Integration | undefined {
    return this.list(testEnvironment).find((integration) => integration.id === id);
  }

  /**
   * Whether this deployment can connect to it: it has an OAuth client of the provider, or needs none (decisions 4), and the
   * provider's file has no errors; for one that receives mails, it has a domain for their addresses.
   */
  isAvailable(integration: Integration): boolean {
    return this.unavailability(integration) === null;
  }

  /** What this deployment lacks for it; null if nothing. */
  unavailability(integration: Integration): Unavailability | null {
    if ((integration.manifestErrors ?? []).length > 0) return 'INVALID_PROVIDER_FILE';
    if (integration.receivesMail && this.settings.inboxDomain === null) return 'NO_INBOX_DOMAIN';
    return this.hasOAuthClient(integration) === false ? 'NO_OAUTH_CLIENT' : null;
  }

  /** Whether the settings have an OAuth client of the provider; null if it needs none. */
  hasOAuthClient({ id, authType, oauth }: Integration): boolean | null {
    if (authType === 'CREDENTIALS' || oauth?.isBuiltIn === true) return null;
    return this.settings.providers[id]?.client !== undefined;
  }

  /** The integration of an existing connection. @throws when this build no longer has it. */
  get(id: string): Integration {
    const integration = this.all.find((candidate) => candidate.id === id);
    if (!integration) throw new Error(`This build has no integration "${id}".`);
    return integration;
  }

  /** The integrations of the build and of the operator, by id. */
  private get all(): readonly Integration[] {
    if (!this.settings.providersDir) return this.integrations;
    return (this.sorted ??= [...this.integrations, ...operatorIntegrations].sort((a, b) => (a.id < b.id ? -1 : 1)));
  }
}
