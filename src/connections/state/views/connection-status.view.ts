import { apiEnum } from '../../../platform/openapi/api-enum';
import type { ConnectionStatus } from '../../../identities/connection-status';
import type { Health } from '../connection-state';

export const CONNECTION_STATUS = apiEnum<ConnectionStatus>(
  'ConnectionStatus',
  'Whether documents are fetched from a connection.',
  {
    ACTIVE: 'fetched on schedule and on demand',
    PENDING: 'its setup is not complete: the authorization or the second step is missing',
    INVALID_CREDENTIALS:
      'the provider has definitively rejected the credentials, or a migrated OAuth connection awaits its authorization',
    DISABLED: 'disabled by you or the user; takes precedence over all others',
  },
);

export const CONNECTION_HEALTH = apiEnum<Health>('ConnectionHealth', 'Whether fetching works.', {
  OK: 'the last fetch succeeded',
  DEGRADED: 'the last fetches failed for a temporary reason; the service retries automatically',
  ACTION_REQUIRED: 'the user has to act: see `reason`',
  UNKNOWN: 'nothing has been fetched yet',
});
