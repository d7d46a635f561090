export const en = {
  title: 'Sessions',
  lead: 'Who is signed in to the console. A session ends after eight hours, or earlier when you end it here or when the API key that opened it is no longer valid.',
  role: 'Role',
  current: 'this session',
  key: 'API key',
  withKey: 'by API key',
  withLink: (who: string) => `by link from ${who}`,
  browser: 'Browser',
  opened: 'Opened',
  lastUsed: 'Last used',
  expires: 'Ends',
  environment: 'Environment',
  onlyThis: 'Only the environment shown',
  scope: 'Environments',
  empty: 'There are no other sessions.',
  end: 'End',
  endTitle: 'End this session?',
  endText: 'Its user has to sign in again. Input on an open page is kept.',
  ended: 'The session has ended.',
};

export type SessionMessages = typeof en;
