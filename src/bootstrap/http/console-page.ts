import { Logger } from '@nestjs/common';
import type { NestExpressApplication } from '@nestjs/platform-express';
import type { NextFunction, Request, Response } from 'express';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Settings } from '../../platform/config/settings';
import { READABLE_STYLE_SOURCE } from '../../transactions/readable/readable-style';
import type { Policy } from './hosted-ui';
import { servePrecompressed } from './precompressed-static';

/** Built by `npm run build` beside the compiled service; the second folder is for tests, which run the sources. */
const FOLDERS = [join(__dirname, '../../../console'), join(__dirname, '../../../dist/console')];

/** Nothing inline and nothing external. It frames previews of themes, and no page frames it. */
const POLICY = {
  'default-src': ["'none'"],
  'script-src': ["'self'"],
  // The page of an XML invoice, which it opens in another tab, has its policy.
  'style-src': ["'self'", READABLE_STYLE_SOURCE],
  'img-src': ["'self'"],
  'connect-src': ["'self'"],
  'frame-src': ["'self'"],
  'form-action': ["'none'"],
  'frame-ancestors': ["'none'"],
  'base-uri': ["'none'"],
};

/**
 * Serves the console at `/console/`: a page that browsers ask for at every visit, and files that they keep, because their names change
 * with their content. The page contains no data; the API checks what its session may see.
 * @param folders where to look for the page; for tests
 */
export function serveConsole(app: NestExpressApplication, policy: Policy, folders = FOLDERS): void {
  const folder = folders.find((place) => existsSync(join(place, 'assets')));
  if (!folder) {
    if (app.get(Settings).production) {
      new Logger('Console').warn('The console is not built: /console/ answers 404. Build it with "npm run build".');
    }
    return;
  }
  const page = readFileSync(join(folder, 'index.html'), 'utf8');
  const setPolicy = policy(POLICY);
  const assets = join(folder, 'assets');
  app.use('/console/assets', servePrecompressed(assets, { immutable: true, maxAge: '1y', index: false }));
  app.use('/console', (request: Request, response: Response, next: NextFunction) => {
    if (request.path !== '/' || !['GET', 'HEAD'].includes(request.method)) return next();
    // The fragment, which may contain a link's secret, stays with the browser.
    if (!/^\/console\//i.test(request.originalUrl)) return response.redirect(308, '/console/');
    setPolicy(request, response, () => {
      response.setHeader('Cache-Control', 'no-store');
      response.type('html').send(page);
    });
  });
}
