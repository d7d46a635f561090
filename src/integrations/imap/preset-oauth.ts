import type { OAuthSpec } from '../core/oauth-spec';
import { googleOAuth } from '../shared/google/google-oauth';
import { microsoftOAuth } from '../shared/microsoft/graph-account';

/** How the users of presets with `oauth` authorize the service. */
export const IMAP_PRESET_OAUTH: Readonly<Record<string, OAuthSpec>> = {
  gmail_imap: googleOAuth('https://mail.google.com/'),
  outlook_imap: microsoftOAuth('https://outlook.office.com/IMAP.AccessAsUser.All'),
};
