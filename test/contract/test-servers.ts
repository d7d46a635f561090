import { sandbox, sandboxOAuth, sevdesk, stripe } from './billing-servers';
import { box, dropbox, googleDrive, microsoftDrive } from './cloud-servers';
import { DECLARED_SERVERS } from './declared-servers';
import type { ApiTestServer, ConnectorTestServer } from './test-server';
import { ftp, s3, sftp, webdav } from './file-servers';
import { gmail, imap, mailInbox, outlook } from './mail-servers';

/** Test servers of integrations with an HTTP API, by integration. */
export const API_TEST_SERVERS: Readonly<Record<string, () => Promise<ApiTestServer>>> = {
  box,
  dropbox,
  gmail,
  google_drive: googleDrive,
  microsoft_drive: microsoftDrive,
  outlook,
  sevdesk,
  stripe,
  ...DECLARED_SERVERS,
};

/** One line per connector, like the registry; the providers in `test/fakes/providers` come by themselves. A connector without a test server fails the suite. */
export const TEST_SERVERS: Readonly<Record<string, () => Promise<ConnectorTestServer>>> = {
  ...API_TEST_SERVERS,
  ftp,
  imap,
  mail_inbox: mailInbox,
  s3,
  sandbox,
  sandbox_oauth: sandboxOAuth,
  sftp,
  webdav,
};
