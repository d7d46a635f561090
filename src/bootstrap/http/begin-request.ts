import { EntityManager } from '@mikro-orm/postgresql';
import { NotFoundException } from '@nestjs/common';
import type { NestExpressApplication } from '@nestjs/platform-express';
import type { NextFunction, Request, RequestHandler, Response } from 'express';
import { I18nContext, I18nService } from 'nestjs-i18n';
import { PinoLogger } from 'nestjs-pino';
import { hasOnlyOtherMethods } from '../../platform/http/connection/allowed-methods';
import { logRequests } from '../../platform/http/logging/log-requests';
import { languageOf } from '../../platform/i18n/lang';
import { RequestScope } from '../../platform/request/request-scope';
import { Tracing } from '../../platform/tracing/tracing';
import { traceRequest } from './trace-request';

/** The last middleware before the routes: the log, and the scope of the request. */
export function beginRequest(app: NestExpressApplication): RequestHandler {
  const [i18n, em] = [app.get(I18nService), app.get(EntityManager)];
  const tracing = app.get(Tracing, { strict: false });
  const log = logRequests(PinoLogger.root);
  return (request: Request, response: Response, next: NextFunction) => {
    const scope = new RequestScope(languageOf(request), i18n, em, request, response);
    log(scope);
    traceRequest(tracing, request, scope);
    I18nContext.create(scope, () => {
      // The filter of errors answers 405 with `Allow`, or an OPTIONS request.
      next(hasOnlyOtherMethods(request) ? new NotFoundException() : undefined);
    });
  };
}
