import request from 'supertest';
import { type MetricFamily, parseMetrics } from './metrics-text';

/** For the setting `METRICS_TOKEN`. */
export const METRICS_TOKEN = 'metrics-'.repeat(5);

/** The metrics of a process with {@link METRICS_TOKEN}. */
export async function scrape(url: string): Promise<Map<string, MetricFamily>> {
  const { text, headers } = await request(url)
    .get('/metrics')
    .set('Authorization', `Bearer ${METRICS_TOKEN}`)
    .expect(200);
  expect(headers['content-type']).toMatch(/^text\/plain; version=0\.0\.4; charset=utf-8$/);
  return parseMetrics(text);
}
