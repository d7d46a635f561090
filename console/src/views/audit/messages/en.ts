export const en = {
  title: 'Audit log',
  lead: 'Every change by the API, the console and the command line, with who made it. It contains no secrets.',
  action: 'Action',
  actionFilter: 'Action or kind of object',
  actor: 'Actor',
  object: 'Object',
  from: 'From (UTC)',
  to: 'Before (UTC)',
  when: 'When',
  details: 'Details',
  scope: 'Environments',
  allEnvironments: 'all, and the installation',
  thisEnvironment: 'This one',
  environment: 'Environment',
  installation: 'the whole installation',
  empty: 'Nothing has been changed yet.',
  actors: {
    cli: 'Command line',
    console: 'Console session',
    key: 'API key',
    token: 'User with a UI token',
  },
  you: 'this session',
};

export type AuditMessages = typeof en;
