import { Injectable } from '@nestjs/common';
import { Settings } from '../platform/config/settings';
import { box } from './box/box';
import { dropbox } from './dropbox/dropbox';
import { ftp } from './ftp/ftp';
import { gmail } from './gmail/gmail';
import { googleDrive } from './google-drive/google-drive';
import { imap } from './imap/imap';
import type { Integration } from './core/integration';
import { microsoftDrive } from './microsoft-drive/microsoft-drive';
import { outlook } from './outlook/outlook';
import { s3 } from './s3/s3';
import { sandbox } from './sandbox/sandbox';
import { sandboxOAuth } from './sandbox-oauth/sandbox-oauth';
import { sevdesk } from './sevdesk/sevdesk';
import { sftp } from './sftp/sftp';
import { stripe } from './stripe/stripe';
import { webdav } from './webdav/webdav';

/** All connectors, one line each. */
export const INTEGRATIONS: readonly Integration[] = [
  box,
  dropbox,
  ftp,
  gmail,
  googleDrive,
  imap,
  microsoftDrive,
  outlook,
  s3,
  sandbox,
  sandboxOAuth,
  sevdesk,
  sftp,
  stripe,
  webdav,
];

/** The available integrations. */
@Injectable()
export class IntegrationRegistry {
  protected readonly integrations: readonly Integration[] = INTEGRATIONS;

  constructor(private readonly settings: Settings) {}

  /** The integrations of an environment; the sandbox exists in `TEST` only (decisions 8). */
  list(testEnvironment: boolean): readonly Integration[] {
    return this.integrations.filter((integration) => testEnvironment || !integration.testOnly);
  }

  find(id: string, testEnvironment: boolean): Integration | undefined {
    return this.list(testEnvironment).find((integration) => integration.id === id);
  }

  /** Whether this deployment can connect to it: it has an OAuth client of the provider, or needs none (decisions 4). */
  isAvailable({ id, authType, oauth }: Integration): boolean {
    return authType === 'CREDENTIALS' || oauth?.isBuiltIn === true || this.settings.providers[id]?.client !== undefined;
  }

  /** The integration of an existing connection. @throws when this build no longer has it. */
  get(id: string): Integration {
    const integration = this.integrations.find((candidate) => candidate.id === id);
    if (!integration) throw new Error(`This build has no integration "${id}".`);
    return integration;
  }
}
