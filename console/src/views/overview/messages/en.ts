export const en = {
  title: 'Overview',
  attention: 'Needs attention',
  nothing: 'Nothing needs attention.',
  connections: 'Connections',
  byHealth: 'By health',
  total: 'Total',
  counting: 'The connections are being counted …',
  fetches: 'Fetches in the last 24 hours',
  deliveries: 'Deliveries in the last 24 hours',
  ok: 'succeeded',
  failed: 'failed',
  sum: (ok: string, failed: string) => `${ok} succeeded, ${failed} failed`,
  table: 'Show as a table',
  hour: 'Hour',
  none: 'None in the last 24 hours.',
  most: (count: string) => `up to ${count} per hour`,
};

export type OverviewMessages = typeof en;
