import type { Request, Response } from 'express';
import type { Metrics } from '../metrics/metrics';
import { QUICK_SECONDS } from '../metrics/metrics';

/** The route label of all requests without a route, so that arbitrary paths create no time series. */
const UNMATCHED = 'unmatched';

/** Measures the number and duration of requests, by the template of their route. */
export function measureRequests(metrics: Metrics): (request: Request, response: Response) => void {
  const requests = metrics.counter(
    'docfetch_http_requests_total',
    'Requests by route and status class ("aborted": the client disconnected before the response was complete).',
    ['method', 'route', 'status'],
  );
  const seconds = metrics.histogram(
    'docfetch_http_request_duration_seconds',
    'Duration from the arrival of a request to the end of its response.',
    ['method', 'route'],
    QUICK_SECONDS,
  );
  return (request, response) => {
    const began = performance.now();
    response.on('close', () => {
      const route = templateOf(request);
      // An arbitrary method on an arbitrary path must not create a new time series.
      const method = route === UNMATCHED ? 'any' : request.method;
      const status = response.writableFinished ? `${Math.floor(response.statusCode / 100)}xx` : 'aborted';
      requests.inc({ method, route, status });
      seconds.observe({ method, route }, (performance.now() - began) / 1000);
    });
  };
}

/** `/v1/connections/:uuid`, never the path itself, which contains uuids. */
function templateOf(request: Request): string {
  const route = request.route as { path?: unknown } | undefined;
  return typeof route?.path === 'string' && !route.path.includes('*') ? route.path : UNMATCHED;
}
