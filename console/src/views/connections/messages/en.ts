export const en = {
  title: 'Connections',
  connection: 'Connection',
  search: 'Name, account, identity or UUID',
  status: 'Status',
  health: 'Health',
  integration: 'Integration',
  identity: 'Identity',
  lastSuccess: 'Last success',
  uuid: 'UUID',
  empty: 'There are no connections yet. They appear here as soon as a user connects a source in the hosted UI.',
  noIntegrations: 'The names of the integrations could not be loaded.',
  statuses: {
    ACTIVE: 'Active',
    PENDING: 'Setup not finished',
    INVALID_CREDENTIALS: 'Credentials rejected',
    DISABLED: 'Disabled',
  },
  healths: { OK: 'Healthy', DEGRADED: 'Delayed', ACTION_REQUIRED: 'Action required', UNKNOWN: 'Not known yet' },
};

export type ConnectionMessages = typeof en;
