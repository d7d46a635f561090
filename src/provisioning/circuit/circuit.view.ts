import { apiEnum } from '../../platform/openapi/api-enum';
import type { CircuitState } from './endpoint.entity';

export const CIRCUIT = apiEnum<CircuitState>('CircuitState', 'Whether documents are sent to the endpoint.', {
  CLOSED: 'documents are sent when they are due',
  OPEN: 'the endpoint has failed several times in a row; nothing is sent until the next trial',
  HALF_OPEN: 'one document at a time is sent as a trial; when one is accepted, the others follow',
});
