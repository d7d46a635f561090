import { sandbox, sandboxOAuth, sevdesk, stripe } from './billing-servers';
import { box, dropbox, googleDrive, microsoftDrive } from './cloud-servers';
import type { ApiCounterpart, Counterpart } from './test-server';
import { ftp, s3, sftp, webdav } from './file-servers';
import { gmail, imap, outlook } from './mail-servers';

/** Those that are asked by an API of their own, by integration. */
export const API_COUNTERPARTS: Readonly<Record<string, () => Promise<ApiCounterpart>>> = {
  box,
  dropbox,
  gmail,
  google_drive: googleDrive,
  microsoft_drive: microsoftDrive,
  outlook,
  sevdesk,
  stripe,
};

/** One line per connector, like the catalogue. A connector without a counterpart fails the suite. */
export const COUNTERPARTS: Readonly<Record<string, () => Promise<Counterpart>>> = {
  ...API_COUNTERPARTS,
  ftp,
  imap,
  s3,
  sandbox,
  sandbox_oauth: sandboxOAuth,
  sftp,
  webdav,
};
