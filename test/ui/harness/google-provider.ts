import { FakeGoogleDrive, SCOPE } from '../../fakes/google-drive/fake-google-drive';
import { CertifiedServer } from '../../fakes/oidc/certified-server';
import type { Surroundings } from './ui-context';

/** Google as a user in a browser meets it: a certified authorization server that asks, and the drives behind it. */
export class Google {
  drive: FakeGoogleDrive;
  private server: CertifiedServer;

  /** Starts it for an application at this address. */
  readonly surroundings: Surroundings = async (publicUrl) => {
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

  /** The user takes back what was allowed. */
  withdraw(): void {
    this.server.accounts.clear();
  }

  async stop(): Promise<void> {
    await this.server?.stop();
    await this.drive?.stop();
  }
}
