export const en = {
  title: 'Overview',
  attention: 'What needs attention',
  nothing: 'Nothing needs attention.',
  connections: 'Connections',
  byHealth: 'By health',
  total: 'All',
  fetches: 'Fetches of the last 24 hours',
  deliveries: 'Deliveries of the last 24 hours',
  ok: 'succeeded',
  failed: 'failed',
  sum: (ok: string, failed: string) => `${ok} succeeded, ${failed} failed`,
  table: 'Show as a table',
  hour: 'Hour',
  none: 'There were none.',
  most: (count: string) => `up to ${count} per hour`,
};

export type OverviewMessages = typeof en;
