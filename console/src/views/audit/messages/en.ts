export const en = {
  title: 'Audit log',
  lead: 'All changes made with the API, the console and the command line, and who made them. It contains no secrets.',
  action: 'Action',
  actionFilter: 'Action or kind of object',
  actor: 'Actor',
  object: 'Object',
  from: 'From',
  to: 'Until',
  when: 'Time',
  details: 'Details',
  scope: 'Environments',
  allEnvironments: 'All, including the installation',
  thisEnvironment: 'Only this one',
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
