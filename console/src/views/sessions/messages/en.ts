export const en = {
  title: 'Sessions',
  lead: 'Who is signed in to the console. A session ends eight hours after signing in, together with the API key that opened it, or when you end it here.',
  role: 'Role',
  current: 'this session',
  openedBy: 'Opened with',
  key: 'an API key',
  link: (who: string) => `a link by ${who}`,
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
