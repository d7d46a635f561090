import type { NestExpressApplication } from '@nestjs/platform-express';
import type { NextFunction, Request, Response } from 'express';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { servePrecompressed } from './precompressed-static';

/** Built by `npm run connect` beside the compiled service; the second folder is for tests, which run the sources. */
const FOLDERS = [join(__dirname, '../../../connect'), join(__dirname, '../../../dist/connect')];
const SCRIPT = '/v1.js';

/**
 * Serves the drop-in for web pages of clients at `/connect/v1.js` (decisions 9). The address is stable, so browsers
 * validate their copy after an hour; pages of all origins may load the script, and read it, for `crossorigin`.
 */
export function serveConnectScript(app: NestExpressApplication): void {
  const folder = FOLDERS.find((place) => existsSync(join(place, SCRIPT)));
  if (!folder) return;
  const send = servePrecompressed(folder, { index: false, redirect: false, maxAge: '1h' });
  app.use('/connect', (request: Request, response: Response, next: NextFunction) => {
    if (request.path !== SCRIPT) return next();
    response.setHeader('Access-Control-Allow-Origin', '*');
    response.setHeader('Cross-Origin-Resource-Policy', 'cross-origin');
    send(request, response, next);
  });
}
