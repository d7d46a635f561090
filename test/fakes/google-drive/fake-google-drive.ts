import type { GoogleAnswer } from '../google/answers';
import { FakeGoogle, type GoogleOptions } from '../google/fake-google';
import { DriveEndpoints } from './drive-endpoints';
import { DriveState } from './drive-state';

export const SCOPE = 'https://www.googleapis.com/auth/drive.readonly';

/** Google Drive: accounts with their trees, shared drives and change lists, with paging. */
export class FakeGoogleDrive extends FakeGoogle {
  readonly endpoints = new DriveEndpoints((email) => this.drive(email));
  private readonly accounts = new Map<string, DriveState>();

  static async start(redirectUri = 'https://docfetch.test/oauth/callback', port = 0): Promise<FakeGoogleDrive> {
    const scopes = [SCOPE, 'https://www.googleapis.com/auth/drive.metadata.readonly'];
    const options: GoogleOptions = {
      server: await FakeGoogle.listening(port),
      redirectUri,
      scopes,
      description: 'google-drive.v3.discovery.json',
    };
    return new FakeGoogleDrive(options);
  }

  /** The settings of a deployment that uses it. */
  get settings() {
    return { google_drive: this.provider };
  }

  /** The drive of an account; initially empty. */
  drive(email = this.authorization.account): DriveState {
    const known = this.accounts.get(email) ?? new DriveState();
    this.accounts.set(email, known);
    return known;
  }

  protected answer(account: string, url: URL, range: string | undefined): GoogleAnswer {
    return this.endpoints.answer(account, url, range);
  }
}
