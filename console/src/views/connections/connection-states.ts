import type { Connection } from '@docfetch/sdk';
import type { BadgeTone } from '../../components/badge';

export const STATUS_TONES: Readonly<Record<Connection['status'], BadgeTone>> = {
  ACTIVE: 'good',
  PENDING: 'wait',
  INVALID_CREDENTIALS: 'bad',
  DISABLED: 'off',
};

export const HEALTH_TONES: Readonly<Record<Connection['health'], BadgeTone>> = {
  OK: 'good',
  UNKNOWN: 'wait',
  DEGRADED: 'wait',
  ACTION_REQUIRED: 'bad',
};
