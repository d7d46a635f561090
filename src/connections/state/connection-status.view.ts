import { apiEnum } from '../../platform/openapi/api-enum';
import type { ConnectionStatus, Health } from './connection-facts';

export const CONNECTION_STATUS = apiEnum<ConnectionStatus>(
  'ConnectionStatus',
  'Whether a connection is fetched. It follows from what has happened to the connection.',
  {
    ACTIVE: 'fetched on schedule and on demand',
    PENDING: 'its setup is not complete: the authorisation or the second step is missing',
    INVALID_CREDENTIALS:
      'the provider has definitively refused the credentials, or a migrated OAuth connection awaits its authorisation',
    DISABLED: 'disabled by you or the user; wins over all others',
  },
);

export const CONNECTION_HEALTH = apiEnum<Health>('ConnectionHealth', 'How well fetching goes.', {
  OK: 'the last fetch went well',
  DEGRADED: 'the last fetches failed for a reason that passes; the service tries again by itself',
  ACTION_REQUIRED: 'the user has to do something: see `reason`',
  UNKNOWN: 'nothing has been fetched yet',
});
