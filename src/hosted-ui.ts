import type { NestExpressApplication } from '@nestjs/platform-express';
import express, { type NextFunction, type Request, type RequestHandler, type Response } from 'express';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { FindLogoOrigin } from './auth/find-logo-origin';
import { giveRequestId } from './platform/http/request-id';

export type Policy = (directives: Record<string, string[]>) => RequestHandler;

/** Built by `npm run ui` beside the compiled service; the second place is for tests, which run the sources. */
const PLACES = [join(__dirname, '../ui'), join(__dirname, '../dist/ui')];

/** Nothing inline, nothing from elsewhere but the logo of the environment, and in no frame (contract 5, spec 4.12). */
const forPage = (logoOrigin: string | null): Record<string, string[]> => ({
  'default-src': ["'none'"],
  'script-src': ["'self'"],
  'style-src': ["'self'"],
  'img-src': ["'self'", ...(logoOrigin ? [logoOrigin] : [])],
  'connect-src': ["'self'"],
  'form-action': ["'none'"],
  'frame-ancestors': ["'none'"],
  'base-uri': ["'none'"],
});

/**
 * The hosted UI at `/ui`: a page that is never stored, as its address brings a token, and files that are kept for ever, as their
 * names change with their content.
 */
export function serveHostedUi(app: NestExpressApplication, policy: Policy): void {
  const folder = PLACES.find((place) => existsSync(join(place, 'assets')));
  const page = folder ? readFileSync(join(folder, 'index.html'), 'utf8') : null;
  const findLogoOrigin = app.get(FindLogoOrigin);
  const plain = policy(forPage(null));

  app.use('/ui', giveRequestId);
  if (folder)
    app.use('/ui/assets', express.static(join(folder, 'assets'), { immutable: true, maxAge: '1y', index: false }));
  app.use('/ui', (request: Request, response: Response, next: NextFunction) => {
    const isPage = page !== null && request.path === '/' && ['GET', 'HEAD'].includes(request.method);
    if (!isPage) return next();
    const { token } = request.query;
    const send = (withHeaders: RequestHandler) =>
      withHeaders(request, response, () => {
        response.setHeader('Cache-Control', 'no-store');
        response.type('html').send(page);
      });
    if (typeof token !== 'string') return send(plain);
    void findLogoOrigin.run(token).then((origin) => send(origin ? policy(forPage(origin)) : plain));
  });
}
