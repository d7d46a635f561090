import type { GoogleAnswer } from '../google/answers';
import { FakeGoogle } from '../google/fake-google';
import { GmailEndpoints } from './gmail-endpoints';
import { GmailState } from './gmail-state';

const SCOPE = 'https://www.googleapis.com/auth/gmail.readonly';

/** Gmail: accounts with their mails, labels and history, with paging. */
export class FakeGmail extends FakeGoogle {
  readonly endpoints = new GmailEndpoints((email) => this.mailbox(email));
  private readonly accounts = new Map<string, GmailState>();

  static async start(redirectUri = 'https://docfetch.test/oauth/callback', port = 0): Promise<FakeGmail> {
    // The last one is that of IMAP.
    const scopes = [SCOPE, 'https://www.googleapis.com/auth/gmail.metadata', 'https://mail.google.com/'];
    const server = await FakeGoogle.listening(port);
    return new FakeGmail({ server, redirectUri, scopes, description: 'gmail.v1.discovery.json' });
  }

  /** The settings of a deployment that uses it. */
  get settings() {
    return { gmail: this.provider };
  }

  /** The mailbox of an account; initially empty. */
  mailbox(email = this.authorization.account): GmailState {
    const known = this.accounts.get(email) ?? new GmailState();
    this.accounts.set(email, known);
    return known;
  }

  protected answer(account: string, url: URL): GoogleAnswer {
    return this.endpoints.answer(account, url);
  }
}
