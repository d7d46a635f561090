import { ApiError } from './errors';

/**
 * Why this installation does not work for an environment: it is being moved to another installation (`MOVING`), has been moved
 * (`MOVED`), or has arrived from another one and is not activated yet (`ARRIVING`).
 */
export type EnvironmentFence = 'MOVING' | 'MOVED' | 'ARRIVING';

/** A move takes minutes. After it, an address may still lead to the former installation for a while. */
const RETRY_AFTER_SECONDS = 30;

/** Whether a request or mail was refused because its environment is fenced: no failure of the service. */
export const isEnvironmentFenced = (error: unknown): boolean =>
  error instanceof ApiError && (error.code === 'ENVIRONMENT_MOVED' || error.code === 'ENVIRONMENT_MOVING');

/** decisions 7 "Moving": 500 with `Retry-After`, as spec 7 does not define 503. */
export const environmentFenced = (fence: EnvironmentFence): ApiError =>
  new ApiError(fence === 'MOVED' ? 'ENVIRONMENT_MOVED' : 'ENVIRONMENT_MOVING', {
    retryAfterSeconds: RETRY_AFTER_SECONDS,
  });
