import type { Request } from 'express';
import { requestId } from '../../platform/http/logging/request-id';
import type { RequestScope } from '../../platform/request/request-scope';
import type { Tracing } from '../../platform/tracing/tracing';

/** Begins the span of a request, as a child of its `traceparent`. It has the template of the route, never the path or the query. */
export function traceRequest(tracing: Tracing, request: Request, scope: RequestScope): void {
  if (!tracing.isOn || request.path.startsWith('/health/') || request.path === '/metrics') return;
  const { traceparent } = request.headers;
  const parent = typeof traceparent === 'string' ? traceparent : null;
  const span = tracing.begin(request.method, { kind: 'SERVER', parent })!;
  const { response } = scope;
  scope.span = span;
  scope.logFields.trace_id = span.traceId;
  response.on('close', () => {
    const route = (request.route as { path?: unknown } | undefined)?.path;
    if (typeof route === 'string') span.rename(`${request.method} ${route}`);
    const { trace_id: _, ...fields } = scope.logFields;
    span.set({
      'http.request.method': request.method,
      'http.route': typeof route === 'string' ? route : null,
      'http.response.status_code': response.statusCode,
      'docfetch.request_id': requestId(response),
      'docfetch.environment_uuid': scope.environmentUuid,
      ...Object.fromEntries(Object.entries(fields).map(([name, value]) => [`docfetch.${name}`, value])),
    });
    if (response.statusCode >= 500) span.fail(String(response.statusCode));
    span.end();
  });
}
