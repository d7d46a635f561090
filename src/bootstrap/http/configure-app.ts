import type { NestExpressApplication } from '@nestjs/platform-express';
import type { NextFunction, Request, Response } from 'express';
import helmet from 'helmet';
import { Logger } from 'nestjs-pino';
import { CorsPolicy } from '../../auth/cross-origin/cors-policy';
import { Settings } from '../../platform/config/settings';
import { closeUnread } from '../../platform/http/connection/close-unread';
import { setServerTimeouts } from '../../platform/http/connection/server-timeouts';
import { compressJson } from '../../platform/http/headers/compress-json';
import { measureRequests } from '../../platform/observability/measure-requests';
import { Metrics } from '../../platform/metrics/metrics';
import { serveSwaggerPage } from '../../api-docs/swagger-page';
import { serveDocsSite } from './docs-site';
import { type Policy, serveHostedUi } from './hosted-ui';

const NOTHING = { 'default-src': ["'none'"], 'frame-ancestors': ["'none'"], 'base-uri': ["'none'"] };
/** Swagger UI uses inline styles; scripts are the service's own files. */
const SWAGGER_UI = {
  'default-src': ["'none'"],
  'script-src': ["'self'"],
  'style-src': ["'self'", "'unsafe-inline'"],
  'img-src': ["'self'", 'data:'],
  'connect-src': ["'self'"],
  'frame-ancestors': ["'none'"],
  'base-uri': ["'none'"],
};

/** Configures the HTTP service: security headers, logs, the hosted UI at /ui, the documentation site at /guides, and the API's documentation at /docs and /openapi.json. */
export function configureApp(app: NestExpressApplication): void {
  app.useLogger(app.get(Logger));
  app.disable('x-powered-by');
  app.set('etag', false); // responses depend on the caller and change often
  const settings = app.get(Settings);
  setServerTimeouts(app.getHttpServer());
  app.use(closeUnread);
  app.use(compressJson);
  app.set('trust proxy', settings.trustProxy);
  if (settings.showsMetrics) app.use(measureRequests(app.get(Metrics)));
  const policy: Policy = (directives) =>
    helmet({
      xFrameOptions: { action: 'deny' },
      contentSecurityPolicy: { useDefaults: false, directives },
      referrerPolicy: { policy: 'no-referrer' },
      // Other hosts of the domain must not be forced to use https.
      strictTransportSecurity: settings.publicUrl.startsWith('https:') && { includeSubDomains: false },
    });
  const [strict, forSwagger] = [policy(NOTHING), policy(SWAGGER_UI)];
  app.use((request: Request, response: Response, next: NextFunction) =>
    (request.path.startsWith('/docs') ? forSwagger : strict)(request, response, next),
  );
  if (!settings.runsApi) {
    app.use((request: Request, response: Response, next: NextFunction) =>
      request.path.startsWith('/health/') || request.path === '/metrics' ? next() : response.status(404).end(),
    );
    return;
  }
  // Before the API, so that pages can also read the responses to rejected requests.
  const corsPolicy = app.get(CorsPolicy, { strict: false });
  app.use((request: Request, response: Response, next: NextFunction) => {
    if (!/^\/v1(\/|$)/i.test(request.path)) return next();
    void corsPolicy.apply(request, response).then((isAnswered) => (isAnswered ? undefined : next()), next);
  });
  serveHostedUi(app, policy);
  serveDocsSite(app, policy);
  serveSwaggerPage(app, settings.publicUrl);
}
