import { FakeGoogleDrive, SCOPE } from '../../fakes/google-drive/fake-google-drive';
import { CertifiedServer } from '../../fakes/oidc/certified-server';
import type { ServerStarter } from './ui-context';

/** A fake Google for browser tests: a certified authorization server with a consent page, and a fake Drive API. */
export class GoogleProvider {
  drive: FakeGoogleDrive;
  private server: CertifiedServer;

  /** Starts the servers for an application with this public URL. */
  readonly start: ServerStarter = async (publicUrl) => {
    this.server = await CertifiedServer.start(`${publicUrl}/oauth/callback`, true);
    this.drive = await FakeGoogleDrive.start();
    this.drive.authorization.accepts = (header) => {
      const account = this.server.accounts.get(/^Bearer (.+)$/.exec(header ?? '')?.[1] ?? '');
      return account ? { account, scopes: [SCOPE], isRevoked: false } : null;
    };
    const { client, apiBaseUrl } = this.drive.settings.google_drive;
    return { settings: { providers: { google_drive: { client, apiBaseUrl, oauthBaseUrl: this.server.url } } } };
  };

  get origin(): string {
    return this.server.url;
  }

  /** Revokes all grants. */
  revoke(): void {
    this.server.accounts.clear();
  }

  async stop(): Promise<void> {
    await this.server?.stop();
    await this.drive?.stop();
  }
}
