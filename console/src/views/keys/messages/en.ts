export const en = {
  title: 'API keys',
  lead: 'Your application uses the API with an API key. The service stores only a hash of it: a key is shown only once, when it is issued.',
  key: 'Key',
  state: 'State',
  states: { ACTIVE: 'Active', EXPIRED: 'Expired', REVOKED: 'Revoked' },
  created: 'Issued',
  lastUsed: 'Last used',
  expires: 'Expires',
  notUsed: 'not yet',
  empty: 'There are no API keys. The support team issues them.',
  emptySupport: 'There are no API keys yet. Without one, the client’s application cannot use the API.',
  issue: 'Issue a key',
  issueTitle: 'Issue an API key',
  issueText:
    'The new key is valid at once, in addition to the existing ones. Send it to the client through a secure channel.',
  expiresAt: 'Expires on',
  expiresHelp: 'The key is rejected from the start of this day (UTC). Without a date, it does not expire.',
  issued: 'The new API key',
  revoke: 'Revoke',
  revokeTitle: (key: string) => `Revoke the key ${key}?`,
  revokeText: [
    'Requests with this key are rejected from now on. This cannot be undone.',
    'UI tokens and console sessions created with it end: users with an open page have to open it again.',
  ],
  revokeUsed: 'Last used:',
  revoked: (key: string) => `The key ${key} has been revoked.`,
};

export type KeyMessages = typeof en;
