import type { NextFunction, Request, RequestHandler, Response } from 'express';
import type { Metrics } from '../metrics/metrics';
import { QUICK_SECONDS } from '../metrics/metrics';

/** Where nothing is: one name for whatever strangers try. */
const UNMATCHED = 'unmatched';

/** Express middleware: counts requests and how long their answers take, by the template of their route. */
export function measureRequests(metrics: Metrics): RequestHandler {
  const requests = metrics.counter(
    'docfetch_http_requests_total',
    'Requests answered, by route and class of status ("aborted": the caller went away before the answer was complete).',
    ['method', 'route', 'status'],
  );
  const seconds = metrics.histogram(
    'docfetch_http_request_duration_seconds',
    'From the arrival of a request to the end of its answer.',
    ['method', 'route'],
    QUICK_SECONDS,
  );
  return (request: Request, response: Response, next: NextFunction) => {
    const began = performance.now();
    response.once('close', () => {
      const route = templateOf(request);
      // A made-up method on a made-up path must not make a new series.
      const method = route === UNMATCHED ? 'any' : request.method;
      const status = response.writableFinished ? `${Math.floor(response.statusCode / 100)}xx` : 'aborted';
      requests.inc({ method, route, status });
      seconds.observe({ method, route }, (performance.now() - began) / 1000);
    });
    next();
  };
}

/** `/v1/connections/:uuid`, never the path itself: it holds uuids. */
function templateOf(request: Request): string {
  const route = request.route as { path?: unknown } | undefined;
  return typeof route?.path === 'string' && !route.path.includes('*') ? route.path : UNMATCHED;
}
