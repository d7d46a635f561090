import type { NestExpressApplication } from '@nestjs/platform-express';
import type { NextFunction, Request, Response } from 'express';
import helmet from 'helmet';
import { Logger } from 'nestjs-pino';
import { CorsPolicy } from '../../auth/cross-origin/cors-policy';
import { Shutdown } from '../../platform/availability/shutdown';
import { Settings } from '../../platform/config/settings';
import { notFound } from '../../platform/errors/errors';
import { drainConnections } from '../../platform/http/connection/drain-connections';
import { setServerTimeouts } from '../../platform/http/connection/server-timeouts';
import { compressResponses } from '../../platform/http/headers/compress-responses';
import { serveSwaggerPage } from '../../api-docs/swagger-page';
import { beginRequest } from './begin-request';
import { beginResponse } from './begin-response';
import { serveConsole } from './console-page';
import { serveConnectScript } from './connect-script';
import { serveDocsSite } from './docs-site';
import { type Policy, serveHostedUi } from './hosted-ui';
import { securityPolicy } from './security-policy';

/** Configures the HTTP service: security headers, logs, the hosted UI at /ui, the console at /console, the drop-in at /connect, the documentation site at /guides, and the API's documentation at /docs and /openapi.json. */
export function configureApp(app: NestExpressApplication): void {
  app.useLogger(app.get(Logger));
  app.disable('x-powered-by');
  app.set('etag', false); // responses depend on the caller and change often
  const settings = app.get(Settings);
  setServerTimeouts(app.getHttpServer());
  drainConnections(app.getHttpServer(), app.get(Shutdown));
  app.set('trust proxy', settings.trustProxy);
  app.use(beginResponse(app, settings));
  app.use(compressResponses);
  if (settings.runsApi) servePages(app, settings);
  else app.use(onlyForOperators);
  app.use(beginRequest(app));
  if (!settings.consoleEnabled) app.use(['/console', '/v1/console'], refuseRoute);
}

/** The cross-origin policy of the API, and all pages. */
function servePages(app: NestExpressApplication, { publicUrl, consoleEnabled }: Settings): void {
  // Before the API, so that pages can also read the responses to rejected requests.
  const corsPolicy = app.get(CorsPolicy, { strict: false });
  app.use((request: Request, response: Response, next: NextFunction) => {
    if (request.headers.origin === undefined || !/^\/v1(\/|$)/i.test(request.path)) return next();
    void corsPolicy.apply(request, response).then((isAnswered) => (isAnswered ? undefined : next()), next);
  });
  const policy: Policy = (directives) => helmet(securityPolicy(publicUrl, directives));
  serveHostedUi(app, policy);
  if (consoleEnabled) serveConsole(app, policy);
  serveConnectScript(app);
  serveDocsSite(app, policy);
  serveSwaggerPage(app, publicUrl);
}

/** A process that is not the API serves only these paths. */
function onlyForOperators(request: Request, response: Response, next: NextFunction): void {
  if (request.path.startsWith('/health/') || request.path === '/metrics') next();
  else response.status(404).end();
}

function refuseRoute(_request: Request, _response: Response, next: NextFunction): void {
  next(notFound('ROUTE_NOT_FOUND'));
}
