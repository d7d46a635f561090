/** The queues. A job only contains the key of a row; the work itself is described by rows. */
export const QUEUES = ['drain-endpoint', 'drain-slow-endpoint', 'drain-webhook', 'redeliver', 'maintenance'] as const;
export type QueueName = (typeof QUEUES)[number];

/** A worker without a heartbeat for this long counts as dead, and another one takes over its job. */
export const HEARTBEAT_SECONDS = 15;

/**
 * `exclusive`: one queued or running job per key; other keys are not affected. After the last failed retry the key is free, and
 * the scheduler that created the job creates the next one.
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
