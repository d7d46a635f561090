import { hours } from '@nestjs/throttler';
import { defineTransactionalThrottler } from '../../platform/rate-limit/transactional-throttler';

/**
 * spec 4.6 rule 1: at most 5 manual fetches of a connection within any hour. The module `fetches` counts them; the view of
 * the connection reads the same sliding window.
 */
export const FETCH_NOW = defineTransactionalThrottler({ name: 'fetch-now', limit: 5, ttl: hours(1) });
