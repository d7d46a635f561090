export const en = {
  title: 'Sessions',
  lead: 'Who is signed in to the console. A session ends eight hours after it was opened, with the API key that opened it, or when it is ended here.',
  session: 'Session',
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
  onlyThis: 'Only the shown environment',
  scope: 'Environments',
  empty: 'There are no other sessions.',
  end: 'End',
  endTitle: 'End this session?',
  endText: 'Whoever uses it has to sign in again. What they have entered in an open page stays there.',
  ended: 'The session has ended.',
};

export type SessionMessages = typeof en;
