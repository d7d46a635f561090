/** The queues: few and coarse. A job is "look after this one", its key says which; the work itself stands in rows. */
export const QUEUES = [
  'run-fetches',
  'drain-endpoint',
  'drain-slow-endpoint',
  'drain-webhook',
  'redeliver',
  'maintenance',
] as const;
export type QueueName = (typeof QUEUES)[number];

/** A worker that has not been heard of for so long has died; another one takes its job over. */
export const HEARTBEAT_SECONDS = 15;

/**
 * `exclusive`: one job per key, queued or running; other keys are not held up. After a last failure the key is free
 * again, and the calendar that made the job makes the next one.
 */
export const QUEUE_OPTIONS = {
  policy: 'exclusive',
  heartbeatSeconds: HEARTBEAT_SECONDS,
  expireInSeconds: 24 * 3600 - 1,
  retryLimit: 2,
  retryDelay: 1,
  retentionSeconds: 24 * 3600,
  deleteAfterSeconds: 600,
} as const;
