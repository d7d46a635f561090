import type { NestExpressApplication } from '@nestjs/platform-express';
import type { NextFunction, Request, RequestHandler, Response } from 'express';
import type { Settings } from '../../platform/config/settings';
import { closeUnread } from '../../platform/http/connection/close-unread';
import { setResponseHeaders } from '../../platform/http/headers/response-headers';
import { securityHeaders } from '../../platform/http/headers/security-headers';
import { assignRequestId } from '../../platform/http/logging/request-id';
import { Metrics } from '../../platform/metrics/metrics';
import { measureRequests } from '../../platform/observability/measure-requests';
import { NOTHING, securityPolicy, SWAGGER_UI } from './security-policy';

/**
 * For one event: those of this service and of the compression, and the seven of Node's `pipeline`, which sends documents. Node warns of a
 * leak beyond ten.
 */
const MAX_LISTENERS = 16;

/** The first middleware: the headers of every response, and the metrics. */
export function beginResponse(app: NestExpressApplication, { publicUrl, showsMetrics }: Settings): RequestHandler {
  const strict = securityHeaders(securityPolicy(publicUrl, NOTHING));
  const forSwagger = securityHeaders(securityPolicy(publicUrl, SWAGGER_UI));
  const measure = showsMetrics ? measureRequests(app.get(Metrics)) : null;
  return (request: Request, response: Response, next: NextFunction) => {
    response.setMaxListeners(MAX_LISTENERS);
    assignRequestId(request, response);
    (request.path.startsWith('/docs') ? forSwagger : strict)(response);
    setResponseHeaders(request, response);
    closeUnread(request, response);
    measure?.(request, response);
    next();
  };
}
